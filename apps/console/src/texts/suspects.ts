import { en } from './en/suspects.js';
import { translation } from './translation.js';

export const texts = translation?.suspects ?? en;
