import type { en } from '../en/captures.js';

export const de: typeof en = {};
