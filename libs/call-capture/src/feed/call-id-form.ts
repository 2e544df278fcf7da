import { createHash } from 'node:crypto';

/** `sip`: the Call-ID as it is. `hash`: 32 hexadecimal digits, as in the specification. */
export type CallIdForm = 'sip' | 'hash';

const DIGITS = 32;

/** The same on every sender: the first 32 digits of SHA-256 of the Call-ID in UTF-8 (docs/guides/sender.md). */
export function callIdIn(form: CallIdForm, callId: string): string {
  return form === 'sip' ? callId : createHash('sha256').update(callId).digest('hex').slice(0, DIGITS);
}
