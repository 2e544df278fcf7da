import { partitionOf, reasonOf, type DeadLetterCode, type PublishedRecord, type ReadBatch } from '@ringdown/bus';
import { isDataError } from '../store/database.js';
import type { CallStore, Committed } from '../store/call-store.js';

/** A record that cannot become part of a call, and why. */
export interface Unusable {
  readonly record: unknown;
  readonly code: Exclude<DeadLetterCode, 'unreadable-message'>;
  readonly reason: string;
}

const CALL_TOO_LONG = 'the call has as many records as one call may have';

/**
 * Brings one batch into the database. Whatever is wrong with a single record must not keep those behind it waiting, so
 * it is found and set aside, before the position moves past it; whatever is wrong with the database or the bus is
 * thrown, and the batch comes again.
 */
export async function takeIn(
  batch: ReadBatch,
  store: CallStore,
  setAside: (unusable: readonly Unusable[]) => Promise<void>,
): Promise<Committed> {
  const { readable, unreadable } = sortOut(batch);
  await setAside(unreadable);
  const committed = await commitGood(batch, readable, store, setAside);
  await setAside(committed.refused.map((record) => ({ record, code: 'call-too-long', reason: CALL_TOO_LONG })));
  return committed;
}

async function commitGood(
  batch: ReadBatch,
  readable: readonly PublishedRecord[],
  store: CallStore,
  setAside: (unusable: readonly Unusable[]) => Promise<void>,
): Promise<Committed> {
  try {
    return await store.commit(batch, readable);
  } catch (error) {
    if (!isOfTheRecord(error)) throw error;
  }
  const culprits = await findCulprits(batch.partition, readable, store);
  await setAside(culprits);
  const bad = new Set(culprits.map(({ record }) => record));
  return store.commit(
    batch,
    readable.filter((record) => !bad.has(record)),
  );
}

/** Our own collectors write the stream, so a wrong shape is a fault or somebody else's writing. */
function sortOut({ records, partition }: ReadBatch): { readable: PublishedRecord[]; unreadable: Unusable[] } {
  const readable: PublishedRecord[] = [];
  const unreadable: Unusable[] = [];
  for (const record of records) {
    const fault = faultOf(record, partition);
    if (fault === undefined) readable.push(record);
    else unreadable.push({ record, code: 'unreadable-record', reason: fault });
  }
  return { readable, unreadable };
}

function faultOf(published: unknown, partition: number): string | undefined {
  if (!isObject(published)) return 'not an object';
  const { id, receivedAt, xml, record } = published;
  if (typeof id !== 'string' || id === '') return 'no id';
  if (typeof receivedAt !== 'number' || !(receivedAt >= 0 && receivedAt < Date.UTC(9999))) return 'no time of receipt';
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
  // A call whose records lie in two partitions would be folded by two owners at once.
  return partitionOf(callId) === partition ? undefined : `the CallId belongs to partition ${partitionOf(callId)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A value that the database cannot hold, or one that the folding trips over. */
function isOfTheRecord(error: unknown): boolean {
  return isDataError(error) || error instanceof TypeError || error instanceof RangeError;
}

/** Halves the records until those are left that cannot be stored even alone. */
async function findCulprits(
  partition: number,
  records: readonly PublishedRecord[],
  store: CallStore,
): Promise<readonly Unusable[]> {
  if (records.length === 0) return [];
  try {
    await store.rehearse(partition, records);
    return [];
  } catch (error) {
    if (!isOfTheRecord(error)) throw error;
    const [record] = records;
    if (records.length === 1) return [{ record, code: 'unstorable-record', reason: reasonOf(error) }];
  }
  const middle = Math.ceil(records.length / 2);
  return [
    ...(await findCulprits(partition, records.slice(0, middle), store)),
    ...(await findCulprits(partition, records.slice(middle), store)),
  ];
}
