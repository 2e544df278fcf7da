import { InterfaceError } from '@ringdown/http-server';
import { createHash } from 'node:crypto';
import { queryErrors } from '../errors.js';
import type { CallFilter } from '../store/call-filter.js';
import type { CallSort, PagePosition } from '../store/call-page.js';

/** What a page of calls is of. */
export interface CallList {
  readonly filter: CallFilter;
  readonly sort: CallSort;
}

/**
 * Opaque to clients: where the page ends, and a digest of what it is a page of, because the next page of something else
 * would skip calls without anybody noticing.
 */
export function cursorOf({ value, callKey }: PagePosition, list: CallList): string {
  return encode([value, callKey, digestOf(list)]);
}

/** Throws an {@link InterfaceError} for a cursor that is not ours or not of this list. */
export function positionOf(cursor: string, list: CallList): PagePosition {
  const [value, callKey, digest] = decode(cursor);
  // Of a time, what the database could not hold.
  if (typeof value !== 'number' || !(value >= 0 && value < Date.UTC(9999))) throw wrongCursor();
  if (typeof callKey !== 'string' || callKey.includes('\0') || digest !== digestOf(list)) throw wrongCursor();
  return { value, callKey };
}

/** Of a list without filters, whose pages end at a name or another text. */
export function nameCursorOf(name: string): string {
  return encode([name]);
}

/** Throws an {@link InterfaceError} for a cursor that is not of {@link nameCursorOf}. */
export function nameOf(cursor: string): string {
  const [name, ...more] = decode(cursor);
  if (typeof name !== 'string' || name.includes('\0') || more.length > 0) throw wrongCursor();
  return name;
}

function encode(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function decode(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parts)) return parts;
  } catch (cause) {
    throw wrongCursor(cause);
  }
  throw wrongCursor();
}

/** For one that leads nowhere. */
export function wrongCursor(cause?: unknown): InterfaceError {
  return new InterfaceError(queryErrors.badCursor, {
    parameters: [{ name: 'cursor', reason: queryErrors.badCursor.message }],
    cause,
  });
}

function digestOf({ sort, filter }: CallList): string {
  return createHash('sha256')
    .update(JSON.stringify([sort, filter]))
    .digest('base64url')
    .slice(0, 12);
}
