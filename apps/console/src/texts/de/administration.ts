import type { en } from '../en/administration.js';

export const de: typeof en = {};
