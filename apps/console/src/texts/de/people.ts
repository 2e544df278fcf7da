import type { en } from '../en/people.js';

export const de: typeof en = {};
