import { en } from './en/comparison.js';
import { translation } from './translation.js';

export const texts = translation?.comparison ?? en;
