import { normalize } from '@ringdown/linear-text';

const ADDRESS = /^[^\s@\\/"<>:;,?#%&\p{C}]{1,128}@[a-z0-9-]+(\.[a-z0-9-]+)*$/iu;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]/u;
const PLAIN = /^[!-~]*$/;

/** Whether a text has the form `user@domain` of usernames, mail addresses and SIP addresses. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Whether an address has characters without a form of their own: it looks like another one. Only new addresses must not. */
export function hasUnseenCharacter(address: string): boolean {
  return UNSEEN.test(address);
}

/**
 * The canonical form of a name or an address, used for comparison. Names that differ only in case or compatibility
 * forms (full-width, circled, mathematical letters) are equal: directories prepare them in the same way (RFC 4518,
 * section 2).
 */
export function canonicalName(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalize(normalize(text, 'NFKC').toLowerCase(), 'NFKC');
}
