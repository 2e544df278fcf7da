import { en } from './en/web-interface.js';
import { translation } from './translation.js';

export const texts = translation?.webInterface ?? en;
