import type { ReadRecord } from '@ringdown/contracts/records';

/** What is known of the time while a batch is processed. */
export interface KnownTime {
  /** By the clock of the database, milliseconds since 1970. */
  readonly now: number;
  /** Whether the clock of the bus agrees with that. */
  readonly isBusRight: boolean;
}

/** A collector rejects what it could not store within a minute at the most (`COLLECTOR_STORE_MS`). */
const MAX_TRANSIT_MS = 120_000;

/**
 * When a record was received: by the clock of its collector, if that is plausible. The bus stored it a moment later,
 * and nothing was received in the future; a wrong clock must neither expire calls nor keep them forever.
 */
export function timeOfReceipt(
  { receivedAt, storedAt, replayed }: Pick<ReadRecord, 'receivedAt' | 'storedAt' | 'replayed'>,
  { now, isBusRight }: KnownTime,
): number {
  if (!isBusRight || storedAt > now + MAX_TRANSIT_MS) return Math.min(receivedAt, now);
  const isTooEarly = replayed !== true && receivedAt < storedAt - MAX_TRANSIT_MS;
  return isTooEarly ? storedAt : Math.min(receivedAt, storedAt);
}
