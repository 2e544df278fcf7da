import { en } from './en/parts.js';
import { translation } from './translation.js';

export const texts = translation?.parts ?? en;
