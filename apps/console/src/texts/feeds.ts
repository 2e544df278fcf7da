import { en } from './en/feeds.js';
import { translation } from './translation.js';

export const texts = translation?.feeds ?? en;
