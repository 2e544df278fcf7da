import { en } from './en/sign-in.js';
import { translation } from './translation.js';

export const texts = translation?.signIn ?? en;
