import { isText } from '@ringdown/contracts/foreign-json';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
/** Beyond the time for a capture: another replica may check the ticket, by a clock of its own. */
const SPARE_SECONDS = 60;
const NAME_CHARACTERS = 255;

/**
 * Tickets with which the readers of uploaded captures show collectors that they may report for the front end of an upload. A
 * ticket has its front end and its end in it, signed: all replicas with the same `secret` can check it.
 */
export class UploadTickets {
  private readonly key: Buffer;

  constructor(
    secret: string,
    private readonly now: () => number = Date.now,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'upload tickets', KEY_BYTES));
  }

  issue(frontEnd: string, seconds: number): string {
    const until = Math.ceil(this.now() / 1_000) + seconds + SPARE_SECONDS;
    const content = Buffer.from(JSON.stringify([until, frontEnd])).toString('base64url');
    return `${content}.${this.signature(content)}`;
  }

  /** The front end of the upload that the ticket is for; null for none, or one that is over. */
  frontEndOf(ticket: string): string | null {
    const [content = '', signature = '', ...more] = ticket.split('.');
    if (more.length > 0 || !isEqual(signature, this.signature(content))) return null;
    const [until, frontEnd] = signedParts(content);
    return typeof until === 'number' && until * 1_000 > this.now() && isText(frontEnd, 1, NAME_CHARACTERS)
      ? frontEnd
      : null;
  }

  private signature(content: string): string {
    return createHmac('sha256', this.key).update(content).digest('base64url');
  }
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** It is signed, so that it is as it was written. */
function signedParts(content: string): readonly unknown[] {
  const parts: unknown = JSON.parse(Buffer.from(content, 'base64url').toString('utf8'));
  return Array.isArray(parts) ? parts : [];
}
