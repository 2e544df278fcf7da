import { en } from './en/search.js';
import { translation } from './translation.js';

export const texts = translation?.search ?? en;
