import { normalize } from '@ringdown/linear-text';
import { createHmac } from 'node:crypto';
import { TextCache } from './text-cache.js';

/** Replaces one user: the same for every spelling of the user, different with another seed, and not reversible. */
export type UserToken = (user: string) => string;

const PHONE_NUMBER = /^\+?[().-]*\d[\d().-]*$/;
/** Texts whose only other spellings differ in case. */
const PLAIN = /^[a-z\d]*$/i;
/** Most texts consist of a few words that repeat. */
const CACHED_WORDS = 10_000;
const CACHED_LENGTH = 64;

/**
 * Tokens of 16 upper-case hex digits, as the known senders make them (diagnostics-feed.md, 3.11). Always with a letter, so that no
 * number that was dialled looks like a token.
 */
export function userTokens(seed: string): UserToken {
  const cache = new TextCache(CACHED_WORDS, CACHED_LENGTH);
  return (user) => cache.get(user, () => hashedUserToken(canonical(user), seed));
}

function hashedUserToken(user: string, seed: string): string {
  const digits = createHmac('sha256', seed).update(user).digest('hex').slice(0, 16).toUpperCase();
  return /[A-F]/.test(digits) ? digits : `A${digits.slice(1)}`;
}

/**
 * The canonical spelling of the user part of an address: `+1-425;ext=3`, `tel:+1425;ext=3` and `%2B1425;ext=3` are one
 * number.
 */
function canonical(user: string): string {
  if (PLAIN.test(user)) return user.toLowerCase();
  const [name = '', ...parameters] = normalize(decoded(user), 'NFKC').toLowerCase().split(';');
  const extension = parameters.find((parameter) => parameter.startsWith('ext='));
  const bare = PHONE_NUMBER.test(name) ? name.replaceAll(/[().-]/g, '') : name.trim();
  return extension === undefined ? bare : `${bare};${extension}`;
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
