import type { en } from '../en/call.js';

export const de: typeof en = {};
