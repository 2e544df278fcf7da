import { InterfaceError } from '@ringdown/http-server';
import { createHash } from 'node:crypto';
import { queryErrors } from '../errors.js';
import type { CallFilter, PagePosition } from '../store/call-queries.js';

/**
 * Opaque to clients: where the page ends, and a digest of the filters, because the next page of other filters would
 * skip calls without anybody noticing.
 */
export function cursorOf(position: PagePosition, filter: CallFilter): string {
  return Buffer.from(JSON.stringify([position.beganAt, position.callKey, digestOf(filter)])).toString('base64url');
}

/** Throws an {@link InterfaceError} for a cursor that is not ours or not of these filters. */
export function positionOf(cursor: string, filter: CallFilter): PagePosition {
  const [beganAt, callKey, digest] = decode(cursor);
  if (typeof beganAt !== 'number' || !Number.isSafeInteger(beganAt) || Math.abs(beganAt) > 8.64e15) throw wrong();
  if (typeof callKey !== 'string' || callKey.includes('\0') || digest !== digestOf(filter)) throw wrong();
  return { beganAt, callKey };
}

function decode(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parts)) return parts;
  } catch (cause) {
    throw wrong(cause);
  }
  throw wrong();
}

function wrong(cause?: unknown): InterfaceError {
  return new InterfaceError(queryErrors.badCursor, {
    parameters: [{ name: 'cursor', reason: queryErrors.badCursor.message }],
    cause,
  });
}

function digestOf({ states, verdicts, frontEnd, party, from, to }: CallFilter): string {
  const parts = [
    states ?? null,
    verdicts ?? null,
    frontEnd?.toLowerCase() ?? null,
    party ?? null,
    from ?? null,
    to ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}
