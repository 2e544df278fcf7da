import type { en } from '../en/charts.js';

export const de: typeof en = {};
