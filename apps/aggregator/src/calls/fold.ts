import { deriveCall, type CallHistory, type CallRules, type DerivedCall } from './derive-call.js';
import type { FeedRecord } from './feed-record.js';

/** A call with its records. */
export interface FoldedCall extends DerivedCall {
  readonly records: readonly FeedRecord[];
}

export interface Fold extends FoldedCall {
  /** The incoming records that the call did not have yet. */
  readonly added: readonly FeedRecord[];
  /** The incoming copies that were received before the one that the call has; from now on the call uses their time. */
  readonly earlier: readonly FeedRecord[];
  readonly duplicates: number;
  /** Too many for one call; see {@link RECORD_LIMIT}. */
  readonly refused: readonly FeedRecord[];
}

/**
 * A day-long call with quality reports twice a minute stays below this. Without a limit, a sender that repeats one
 * CallId would make every further record of it slower.
 */
export const RECORD_LIMIT = 3_000;
export const SIZE_LIMIT = 8 * 1_024 * 1_024;
/** Ends, errors and final quality are still accepted when other records have filled the call. */
const RESERVE = 1.1;

/** See {@link fold}. */
export type FoldCall = (
  known: readonly FeedRecord[],
  incoming: readonly FeedRecord[],
  rules?: CallRules,
  history?: CallHistory,
) => Fold;

/**
 * Adds records to a call, or makes a new call from them. Pure. A record that is already there changes nothing; of
 * copies, in whatever order they arrive, the earliest time of receipt counts.
 */
export function fold(
  known: readonly FeedRecord[],
  incoming: readonly FeedRecord[],
  rules?: CallRules,
  history?: CallHistory,
): Fold {
  const ids = new Set(known.map(({ id }) => id));
  const byDigest = new Map(known.map((record) => [record.digest, record]));
  const added: FeedRecord[] = [];
  const earlier: FeedRecord[] = [];
  const refused: FeedRecord[] = [];
  let duplicates = 0;
  let size = known.reduce((sum, record) => sum + record.size, 0);
  for (const record of incoming) {
    const copy = byDigest.get(record.digest);
    if (copy || ids.has(record.id)) {
      duplicates++;
      if (!copy || copy.receivedAt <= record.receivedAt) continue;
      byDigest.set(record.digest, { ...copy, receivedAt: record.receivedAt });
      earlier.push(record);
    } else if (!hasRoom(record, byDigest.size + 1, size + record.size)) {
      refused.push(record);
    } else {
      ids.add(record.id);
      byDigest.set(record.digest, record);
      added.push(record);
      size += record.size;
    }
  }
  const records = [...byDigest.values()];
  return { ...deriveCall(records, rules, history), records, added, earlier, duplicates, refused };
}

function hasRoom({ record }: FeedRecord, count: number, size: number): boolean {
  const settles = record.events.some(({ kind }) => SETTLING.has(kind));
  const factor = settles ? RESERVE : 1;
  return count === 1 || (count <= RECORD_LIMIT * factor && size <= SIZE_LIMIT * factor);
}

const SETTLING: ReadonlySet<string> = new Set(['ended', 'bye', 'error', 'qualityUpdate']);
