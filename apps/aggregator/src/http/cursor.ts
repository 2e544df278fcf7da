import { InterfaceError } from '@ringdown/web-server/errors';
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { queryErrors } from '../errors.js';
import type { CallFilter } from '../search/filter/call-filter.js';
import type { CallSort } from '../store/calls/call-orders.js';
import type { PagePosition } from '../store/calls/call-page.js';

/** The list that a page of calls belongs to. */
export interface CallList {
  readonly filter: CallFilter;
  readonly sort: CallSort;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The positions at which pages of lists end, encrypted: a position is a CallId or the name of a front end, which not
 * every operator may see. All replicas need the same `secret`.
 */
export class Cursors {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'page cursors', KEY_BYTES));
  }

  /**
   * Includes a digest of the list that it belongs to: the next page of another list would skip calls without notice.
   */
  ofCalls({ value, callKey }: PagePosition, list: CallList): string {
    return this.encode([value, callKey, callListDigest(list)]);
  }

  /** Throws an {@link InterfaceError} for a cursor that is not ours or not from this list. */
  position(cursor: string, list: CallList): PagePosition {
    const [value, callKey, digest] = this.decode(cursor);
    // For a time, a value that the database cannot hold.
    if (typeof value !== 'number' || !(value >= 0 && value < Date.UTC(9999))) throw wrongCursor();
    if (typeof callKey !== 'string' || digest !== callListDigest(list)) throw wrongCursor();
    return { value, callKey };
  }

  /** For a list without filters, whose pages end at a name or another text; `list` distinguishes these lists. */
  ofName(name: string, list: string): string {
    return this.encode([name, list]);
  }

  /** Throws an {@link InterfaceError} for a cursor that is not from {@link ofName} or belongs to another list. */
  name(cursor: string, list: string): string {
    const [name, ofList] = this.decode(cursor);
    if (typeof name !== 'string' || ofList !== list) throw wrongCursor();
    return name;
  }

  private encode(parts: readonly unknown[]): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce);
    const body = Buffer.concat([cipher.update(JSON.stringify(parts)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  private decode(cursor: string): readonly unknown[] {
    try {
      const bytes = Buffer.from(cursor, 'base64url');
      const [tagAt, bodyAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES];
      const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, tagAt), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(tagAt, bodyAt));
      const text = Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8');
      const parts: unknown = JSON.parse(text);
      if (Array.isArray(parts)) return parts;
    } catch (cause) {
      throw wrongCursor(cause);
    }
    throw wrongCursor();
  }
}

/** For a cursor that is not valid. */
export function wrongCursor(cause?: unknown): InterfaceError {
  return new InterfaceError(queryErrors.badCursor, {
    parameters: [{ name: 'cursor', reason: queryErrors.badCursor.message }],
    cause,
  });
}

function callListDigest({ sort, filter }: CallList): string {
  // With a time until now, each page has another beginning.
  const ofList = filter.last === undefined ? filter : { ...filter, from: undefined };
  return createHash('sha256')
    .update(JSON.stringify([sort, ofList]))
    .digest('base64url')
    .slice(0, 12);
}
