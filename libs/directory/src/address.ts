import { normalize } from '@ringdown/linear-text';

const ADDRESS = /^[^\s@\\/"<>:;,?#%&\p{C}]{1,128}@[a-z0-9-]+(\.[a-z0-9-]+)*$/iu;
const PLAIN = /^[!-~]*$/;

/** Whether a text is `user@domain` as usernames, mail and SIP addresses are. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/**
 * The one form of a name or an address by which it is compared. Case and compatibility forms (full-width, circled,
 * mathematical letters) do not tell names apart: directories prepare them in the same way (RFC 4518, section 2).
 */
export function canonicalName(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalize(normalize(text, 'NFKC').toLowerCase(), 'NFKC');
}
