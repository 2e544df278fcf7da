import { en } from './en/quality.js';
import { translation } from './translation.js';

export const texts = translation?.quality ?? en;
