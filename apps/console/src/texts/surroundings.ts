import { en } from './en/surroundings.js';
import { translation } from './translation.js';

export const texts = translation?.surroundings ?? en;
