import { en } from './en/meet.js';
import { translation } from './translation.js';

export const texts = translation?.meet ?? en;
