import { en } from './en/notices.js';
import { translation } from './translation.js';

export const texts = translation?.notices ?? en;
