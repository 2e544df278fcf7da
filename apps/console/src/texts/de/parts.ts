import type { en } from '../en/parts.js';

export const de: typeof en = {};
