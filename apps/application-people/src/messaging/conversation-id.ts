import { randomBytes } from 'node:crypto';

const BYTES = 10;
const ID = /^[0-9a-f]{20}$/;

/** Of a conversation that begins now. */
export function newConversationId(): string {
  return randomBytes(BYTES).toString('hex');
}

/** Clients ask with ids that they made up, and the store cannot hold every text as a key. */
export function isConversationId(text: string): boolean {
  return ID.test(text);
}
