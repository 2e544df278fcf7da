import type { en } from '../en/live.js';

export const de: typeof en = {};
