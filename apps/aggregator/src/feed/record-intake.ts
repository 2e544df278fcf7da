import { partitionOfCall, PARTITIONS, type ReadRecord } from '@ringdown/contracts/records';
import type { DeadLetterCode } from '@ringdown/contracts/set-aside';
import { errorReason } from '@ringdown/errors';
import type { ReadBatch } from '@ringdown/feed-bus';
import { TimeLimitExceeded } from '@ringdown/time-limit';
import { isDataError } from '../store/database/query-errors.js';
import { callKey } from '../calls/call-keys.js';
import type { BatchToStore, CallStore, Committed } from '../store/calls/call-store.js';
import { CallsNotProcessed } from '../store/calls/processed-calls.js';
import { timeOfReceipt, type KnownTime } from './time-of-receipt.js';

/** A record that cannot become part of a call, and why. */
export interface UnprocessableRecord {
  readonly record: unknown;
  readonly code: Exclude<DeadLetterCode, 'unreadable-message'>;
  readonly reason: string;
}

const CALL_TOO_LONG = 'the call already has the maximum number of records';

/**
 * Writes one batch to the database. An error in a single record must not block those after it, so the record is found
 * and set aside before the position moves past it; an error of the database or the bus is thrown, and the batch comes
 * again.
 */
export async function storeBatch(
  batch: ReadBatch,
  store: Pick<CallStore, 'commit' | 'dryRun'>,
  time: KnownTime,
  setAside: (unprocessable: readonly UnprocessableRecord[]) => Promise<void>,
): Promise<Committed> {
  return storeSorted(await sortOut(batch, time, setAside), store, setAside);
}

/** Sets aside those of its records that are unreadable. */
export async function sortOut(
  batch: ReadBatch,
  time: KnownTime,
  setAside: (unprocessable: readonly UnprocessableRecord[]) => Promise<void>,
): Promise<BatchToStore> {
  const { readable, unreadable } = divideRecords(batch, time);
  await setAside(unreadable);
  // Before the position moves past them: an accepted record is always stored somewhere.
  const before = ({ refused }: Committed): Promise<void> =>
    setAside(refused.map((record) => ({ record, code: 'call-too-long', reason: CALL_TOO_LONG })));
  return { batch, records: readable, before };
}

/** As {@link storeBatch}. */
export async function storeSorted(
  { batch, records, before }: BatchToStore,
  store: Pick<CallStore, 'commit' | 'dryRun'>,
  setAside: (unprocessable: readonly UnprocessableRecord[]) => Promise<void>,
): Promise<Committed> {
  let good = records;
  for (;;) {
    try {
      return await store.commit(batch, good, before);
    } catch (error) {
      if (!isOfTheRecord(error)) throw error;
      const failingRecords = await failingRecordsOf(error, batch.partition, good, store);
      if (failingRecords.length === 0) throw error;
      await setAside(failingRecords);
      const bad = new Set(failingRecords.map(({ record }) => record));
      good = good.filter((record) => !bad.has(record));
    }
  }
}

/** Our own collectors write the stream, so a wrong shape is a bug or was written by another program. */
function divideRecords(
  { records, partition }: ReadBatch,
  time: KnownTime,
): { readable: ReadRecord[]; unreadable: UnprocessableRecord[] } {
  const readable: ReadRecord[] = [];
  const unreadable: UnprocessableRecord[] = [];
  for (const record of records) {
    const fault = publishedRecordFault(record, partition);
    if (fault === undefined) readable.push({ ...record, receivedAt: timeOfReceipt(record, time) });
    else unreadable.push({ record, code: 'unreadable-record', reason: fault });
  }
  return { readable, unreadable };
}

function publishedRecordFault(published: unknown, partition: number): string | undefined {
  if (!isObject(published)) return 'not an object';
  const { id, receivedAt, remoteAddress = '', certificateSubject = '', xml, record } = published;
  if (typeof id !== 'string' || id === '') return 'no id';
  if (typeof receivedAt !== 'number' || !(receivedAt >= 0 && receivedAt < Date.UTC(9999))) return 'no time of receipt';
  if (typeof remoteAddress !== 'string' || typeof certificateSubject !== 'string') return 'no sender';
  if (typeof xml !== 'string') return 'no document';
  return isObject(record) && Array.isArray(record['events'])
    ? connectionFault(record['connection'], partition)
    : 'no record';
}

function connectionFault(connection: unknown, partition: number): string | undefined {
  if (!isObject(connection)) return 'no connection';
  const { callId, frontEnds } = connection;
  if (typeof callId !== 'string' || callId === '') return 'no CallId';
  if (!Array.isArray(frontEnds) || !frontEnds.every((name) => typeof name === 'string')) return 'no front ends';
  // A call with records in two subjects would be folded by two owners at once.
  const subject = partitionOfCall(callId);
  return subject === partition % PARTITIONS ? undefined : `the CallId belongs to partition ${subject}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A value that the database cannot hold, or one on which the fold fails or takes too long. */
function isOfTheRecord(error: unknown): boolean {
  return (
    isDataError(error) ||
    error instanceof CallsNotProcessed ||
    error instanceof TypeError ||
    error instanceof RangeError
  );
}

/**
 * It is already known which calls could not be processed; in a call with several new records, it may be any of them.
 */
async function failingRecordsOf(
  error: unknown,
  partition: number,
  records: readonly ReadRecord[],
  store: Pick<CallStore, 'dryRun'>,
): Promise<readonly UnprocessableRecord[]> {
  if (!(error instanceof CallsNotProcessed)) return findFailingRecords(partition, records, store);
  const failingRecords: UnprocessableRecord[] = [];
  for (const [key, failure] of error.failures) {
    const ofCall = records.filter(({ record }) => callKey(record.connection.callId) === key);
    const alone = ofCall.length > 1 ? await findFailingRecords(partition, ofCall, store) : [];
    failingRecords.push(...(alone.length > 0 ? alone : ofCall.map((record) => unprocessable(record, failure))));
  }
  return failingRecords;
}

function unprocessable(record: unknown, failure: unknown): UnprocessableRecord {
  const cause = failure instanceof CallsNotProcessed ? failure.failures.values().next().value : failure;
  return {
    record,
    code: cause instanceof TimeLimitExceeded ? 'slow-record' : 'unstorable-record',
    reason: errorReason(cause),
  };
}

/** Halves the records until only those are left that cannot be stored even alone. */
async function findFailingRecords(
  partition: number,
  records: readonly ReadRecord[],
  store: Pick<CallStore, 'dryRun'>,
): Promise<readonly UnprocessableRecord[]> {
  if (records.length === 0) return [];
  try {
    await store.dryRun(partition, records);
    return [];
  } catch (error) {
    if (!isOfTheRecord(error)) throw error;
    const [record] = records;
    if (records.length === 1) return [unprocessable(record, error)];
  }
  const middle = Math.ceil(records.length / 2);
  return [
    ...(await findFailingRecords(partition, records.slice(0, middle), store)),
    ...(await findFailingRecords(partition, records.slice(middle), store)),
  ];
}
