import { en } from './en/call.js';
import { translation } from './translation.js';

export const texts = translation?.call ?? en;
