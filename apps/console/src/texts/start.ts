import { en } from './en/start.js';
import { translation } from './translation.js';

export const texts = translation?.start ?? en;
