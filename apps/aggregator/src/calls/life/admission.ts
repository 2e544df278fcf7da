import type { FeedRecord } from '../feed-record.js';

/**
 * A day-long call with quality reports twice a minute stays below this. Without a limit, a sender that repeats one
 * CallId would make every further record of it slower.
 */
export const RECORD_LIMIT = 3_000;
/** In characters. */
export const SIZE_LIMIT = 8 * 1_024 * 1_024;
/** A record may contain hundreds of events, and each one costs time whenever the call is derived. */
export const EVENT_LIMIT = 6_000;
/** Ends, errors and final quality are still accepted when other records have filled the call. */
const RESERVE = 1.1;

/** What distinguishes a record from its copies. */
export type RecordIdentity = Pick<FeedRecord, 'id' | 'digest' | 'receivedAt'>;

/** What the records of a call have together. */
export interface CallExtent {
  /** Characters of the documents. */
  readonly size: number;
  readonly events: number;
}

/** What becomes of incoming records. */
export interface Admission {
  /** The incoming records that the call did not have yet. */
  readonly added: readonly FeedRecord[];
  /** The incoming copies that were received before the one that the call has; from now on the call uses their time. */
  readonly earlier: readonly FeedRecord[];
  readonly duplicates: number;
  /** Too many for one call; see {@link RECORD_LIMIT}. */
  readonly refused: readonly FeedRecord[];
}

/**
 * Decides which records a call accepts, by what it has so far. Pure, and needs no contents of the known records: a full
 * call costs no more than its list.
 */
export function admit(
  known: readonly RecordIdentity[],
  extent: CallExtent,
  incoming: readonly FeedRecord[],
): Admission {
  const ids = new Set(known.map(({ id }) => id));
  const receivedAt = new Map(known.map((record) => [record.digest, record.receivedAt]));
  const added: FeedRecord[] = [];
  const earlier: FeedRecord[] = [];
  const refused: FeedRecord[] = [];
  let duplicates = 0;
  let { size, events } = extent;
  for (const record of incoming) {
    const copyReceivedAt = receivedAt.get(record.digest);
    const next = { size: size + record.size, events: events + record.record.events.length };
    if (copyReceivedAt !== undefined || ids.has(record.id)) {
      duplicates++;
      if (copyReceivedAt === undefined || copyReceivedAt <= record.receivedAt) continue;
      receivedAt.set(record.digest, record.receivedAt);
      earlier.push(record);
    } else if (!hasRoom(record, receivedAt.size + 1, next)) {
      refused.push(record);
    } else {
      ids.add(record.id);
      receivedAt.set(record.digest, record.receivedAt);
      added.push(record);
      ({ size, events } = next);
    }
  }
  return { added, earlier, duplicates, refused };
}

/** Whether the call differs afterwards. */
export function changesCall({ added, earlier }: Admission): boolean {
  return added.length + earlier.length > 0;
}

export function callExtent(records: readonly FeedRecord[]): CallExtent {
  return {
    size: records.reduce((sum, { size }) => sum + size, 0),
    events: records.reduce((sum, { record }) => sum + record.events.length, 0),
  };
}

function hasRoom({ record }: FeedRecord, count: number, { size, events }: CallExtent): boolean {
  const settles = record.events.some(({ kind }) => SETTLING.has(kind));
  const factor = settles ? RESERVE : 1;
  return (
    count === 1 || (count <= RECORD_LIMIT * factor && size <= SIZE_LIMIT * factor && events <= EVENT_LIMIT * factor)
  );
}

const SETTLING: ReadonlySet<string> = new Set(['ended', 'bye', 'error', 'qualityUpdate']);
