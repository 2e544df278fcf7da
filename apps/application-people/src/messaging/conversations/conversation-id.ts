import { randomBytes } from 'node:crypto';

const BYTES = 10;
const ID = /^[0-9a-f]{20}$/;

/** The id of a new conversation. */
export function newConversationId(): string {
  return randomBytes(BYTES).toString('hex');
}

/** Clients send ids that they made up, and not every text can be a key of the store. */
export function isConversationId(text: string): boolean {
  return ID.test(text);
}
