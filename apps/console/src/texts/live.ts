import { en } from './en/live.js';
import { translation } from './translation.js';

export const texts = translation?.live ?? en;
