import type { Call } from './call.js';
import { deriveCall } from './derive-call.js';
import type { FeedRecord } from './feed-record.js';
import type { ThresholdProfile } from './thresholds.js';

/** A call with the records that it is made of. */
export interface FoldedCall {
  readonly call: Call;
  readonly records: readonly FeedRecord[];
}

export interface Fold extends FoldedCall {
  /** Of the incoming records, those that the call did not have yet. */
  readonly added: readonly FeedRecord[];
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

/**
 * Adds records to a call, or makes a new one of them. Pure; a record that is there already changes nothing, so among
 * copies without a time of their own the first one says when it was.
 */
export function fold(known: readonly FeedRecord[], incoming: readonly FeedRecord[], profile?: ThresholdProfile): Fold {
  const seen = new Set(known.flatMap(({ id, digest }) => [id, digest]));
  const records = [...known];
  const added: FeedRecord[] = [];
  const refused: FeedRecord[] = [];
  let duplicates = 0;
  let size = known.reduce((sum, record) => sum + record.size, 0);
  for (const record of incoming) {
    if (seen.has(record.id) || seen.has(record.digest)) {
      duplicates++;
    } else if (!hasRoom(record, records.length + 1, size + record.size)) {
      refused.push(record);
    } else {
      seen.add(record.id).add(record.digest);
      records.push(record);
      added.push(record);
      size += record.size;
    }
  }
  return { call: deriveCall(records, profile), records, added, duplicates, refused };
}

function hasRoom({ record }: FeedRecord, count: number, size: number): boolean {
  const settles = record.events.some(({ kind }) => SETTLING.has(kind));
  const factor = settles ? RESERVE : 1;
  return count === 1 || (count <= RECORD_LIMIT * factor && size <= SIZE_LIMIT * factor);
}

const SETTLING: ReadonlySet<string> = new Set(['ended', 'bye', 'error', 'qualityUpdate']);
