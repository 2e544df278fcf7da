import { en } from './en/people.js';
import { translation } from './translation.js';

export const texts = translation?.people ?? en;
