import { en } from './en/api.js';
import { translation } from './translation.js';

export const texts = translation?.api ?? en;
