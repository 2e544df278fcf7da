import { en } from './en/captures.js';
import { translation } from './translation.js';

export const texts = translation?.captures ?? en;
