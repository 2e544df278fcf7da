import { en } from './en/alerts.js';
import { translation } from './translation.js';

export const texts = translation?.alerts ?? en;
