import type { en } from '../en/search.js';

export const de: typeof en = {};
