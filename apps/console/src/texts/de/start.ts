import type { en } from '../en/start.js';

export const de: typeof en = {};
