import type { en } from '../en/quality.js';

export const de: typeof en = {};
