import type { en } from '../en/notices.js';

export const de: typeof en = {};
