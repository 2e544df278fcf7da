import { deriveCall, type CallHistory, type CallRules, type DerivedCall } from './derive-call.js';
import type { FeedRecord } from './feed-record.js';

/** A call with the records that it is made of. */
export interface FoldedCall extends DerivedCall {
  readonly records: readonly FeedRecord[];
}

export interface Fold extends FoldedCall {
  /** Of the incoming records, those that the call did not have yet. */
  readonly added: readonly FeedRecord[];
  /** Of the incoming copies, those that were received before what the call has; from now on it has their time. */
  readonly earlier: readonly FeedRecord[];
  readonly duplicates: number;
  /** Too many for one call; see {@link RECORD_LIMIT}. */
  readonly refused: readonly FeedRecord[];
}

/**
 * A day-long call with quality reports twice a minute stays below. Without a limit, one sender that repeats one CallId
 * would make every further record of it slower.
 */
export const RECORD_LIMIT = 3_000;
export const SIZE_LIMIT = 8 * 1_024 * 1_024;
/** Ends, errors and final quality still find room when chatter has filled a call up. */
const RESERVE = 1.1;

/** See {@link fold}. */
export type FoldCall = (
  known: readonly FeedRecord[],
  incoming: readonly FeedRecord[],
  rules?: CallRules,
  history?: CallHistory,
) => Fold;

/**
 * Adds records to a call, or makes a new one of them. Pure. A record that is there already changes nothing; of copies,
 * however they come, the time of the first one that was received counts.
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
