import { createHmac } from 'node:crypto';

/** Stands for one user: the same for every spelling of the user, another with another seed, and not to be turned back. */
export type UserToken = (user: string) => string;

const PHONE_NUMBER = /^\+?[\d().-]*\d[\d().-]*$/;

/** Tokens of 16 upper-case hex digits, as the known senders make them (diagnostics-feed.md, 3.11). */
export function userTokens(seed: string): UserToken {
  return (user) => createHmac('sha256', seed).update(canonical(user)).digest('hex').slice(0, 16).toUpperCase();
}

/** The user part of an address in one spelling: `+1-425;ext=3`, `tel:+1425;ext=3` and `%2B1425;ext=3` are one number. */
function canonical(user: string): string {
  const [name = '', ...parameters] = decoded(user).normalize('NFC').toLowerCase().split(';');
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
