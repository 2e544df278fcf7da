import type { en } from '../en/meet.js';

export const de: typeof en = {};
