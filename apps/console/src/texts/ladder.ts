import { en } from './en/ladder.js';
import { translation } from './translation.js';

export const texts = translation?.ladder ?? en;
