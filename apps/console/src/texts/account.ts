import { en } from './en/account.js';
import { translation } from './translation.js';

export const texts = translation?.account ?? en;
