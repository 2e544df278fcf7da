import { en } from './en/capacity.js';
import { translation } from './translation.js';

export const texts = translation?.capacity ?? en;
