import type { en } from '../en/feeds.js';

export const de: typeof en = {};
