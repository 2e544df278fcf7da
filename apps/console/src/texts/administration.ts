import { en } from './en/administration.js';
import { translation } from './translation.js';

export const texts = translation?.administration ?? en;
