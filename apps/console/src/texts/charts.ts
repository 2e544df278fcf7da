import { en } from './en/charts.js';
import { translation } from './translation.js';

export const texts = translation?.charts ?? en;
