import type { en } from '../en/web-interface.js';

export const de: typeof en = {};
