import type { en } from '../en/alerts.js';

export const de: typeof en = {};
