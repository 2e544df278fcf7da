import { en } from './en/app.js';
import { translation } from './translation.js';

export const texts = translation?.app ?? en;
