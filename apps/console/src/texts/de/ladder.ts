import type { en } from '../en/ladder.js';

export const de: typeof en = {};
