import { recordFeed } from '@ringdown/contracts/feed-of';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import type { CallExtent, RecordIdentity } from '../../calls/life/admission.js';
import { NO_HISTORY, type CallHistory } from '../../calls/derive-call.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import type { Transaction } from '../database/transaction.js';
import { parsedContent, unpackRecords, type PackedRecord } from '../records/packed-records.js';

interface StoredCall {
  readonly history: CallHistory;
  /** Whether it is in progress and a time-out may end it. */
  readonly waits: boolean;
  /** Whether it was stored by an older program. */
  readonly stale: boolean;
  /** The day that determines the week in which it is kept; undefined for a call that is not stored yet. */
  readonly storedOn: string | undefined;
}

/** The sender of the connection on which a record arrived, as stored. */
type StoredSender = Pick<PackedRecord, 'remoteAddress' | 'certificateSubject'>;

/** What the database has of one call. */
export interface KnownCall extends StoredCall {
  readonly records: readonly (FeedRecord & StoredSender)[];
  /** Those of its records that are packed, by digest. */
  readonly packed: ReadonlyMap<string, PackedRecord>;
  /** Whether others are rows. */
  readonly hasRecordRows: boolean;
}

/** A call whose records are loaded only when one is added to them. */
export interface LargeCall extends StoredCall {
  readonly identities: readonly RecordIdentity[];
  readonly extent: CallExtent;
}

export const UNKNOWN_CALL: KnownCall = {
  records: [],
  packed: new Map(),
  hasRecordRows: false,
  history: NO_HISTORY,
  waits: false,
  stale: false,
  storedOn: undefined,
};

/** Loading and parsing a call of this size costs a few milliseconds. */
const LARGE_SIZE = 512 * 1_024;
const LARGE_EVENTS = 1_000;

/** The day of each call's week, by call key. A place may outlive its week. */
export async function storedDaysOf(
  transaction: Transaction,
  callKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await transaction.query<{ call_key: string; stored_on: string }>(
    'select call_key, stored_on::text from call_places where call_key = any($1)',
    [callKeys],
  );
  return new Map(rows.map(({ call_key, stored_on }) => [call_key, stored_on]));
}

/** By call key; calls that are not stored are omitted. */
export async function knownCalls(
  transaction: Transaction,
  callKeys: readonly string[],
): Promise<ReadonlyMap<string, KnownCall>> {
  const calls = await callRows(transaction, callKeys);
  const recordRows = await recordRowsOf(transaction, calls, 'content');
  return new Map(calls.flatMap((row) => knownCall(row, recordRows.get(row.call_key) ?? [])));
}

/** Like {@link knownCalls}, without the contents of large calls. */
export async function callsToExtend(
  transaction: Transaction,
  callKeys: readonly string[],
): Promise<ReadonlyMap<string, KnownCall | LargeCall>> {
  const calls = await callRows(transaction, callKeys);
  const [large, small] = [calls.filter(isLarge), calls.filter((row) => !isLarge(row))];
  const recordRows = await recordRowsOf(transaction, small, 'content');
  const identities = await recordRowsOf(transaction, large, 'null as content');
  return new Map<string, KnownCall | LargeCall>([
    ...small.flatMap((row) => knownCall(row, recordRows.get(row.call_key) ?? [])),
    ...large.flatMap((row) => largeCall(row, identities.get(row.call_key) ?? [])),
  ]);
}

interface CallRow {
  readonly call_key: string;
  readonly looked_at: Date | null;
  readonly revisions: number;
  readonly waits: boolean;
  readonly stale: boolean;
  readonly stored_on: string;
  readonly record_size: number | null;
  readonly event_count: number | null;
  readonly packed_records: Buffer | null;
  readonly record_rows: boolean;
}

async function callRows(transaction: Transaction, callKeys: readonly string[]): Promise<readonly CallRow[]> {
  if (callKeys.length === 0) return [];
  const places = await storedDaysOf(transaction, callKeys);
  if (places.size === 0) return [];
  const { rows } = await transaction.query<CallRow>(
    `select call_key, case when looked_at > now() then now() else looked_at end as looked_at, revisions,
       waits_for is not null as waits, stale, stored_on::text, record_size, event_count, packed_records, record_rows
     from calls where call_key = any($1) and stored_on = any($2::date[])`,
    [[...places.keys()], [...new Set(places.values())]],
  );
  return rows;
}

interface RecordRow<C> {
  readonly call_key: string;
  readonly stored_on: string;
  readonly id: string;
  readonly digest: string;
  readonly size: number;
  /** Milliseconds since 1970; parsing a date from text costs more than the rest of the row. */
  readonly received_ms: number;
  readonly remote_address: string | null;
  readonly certificate_subject: string | null;
  readonly content: C;
}

/** Records of calls that are not packed, by call key. */
async function recordRowsOf<S extends 'content' | 'null as content'>(
  transaction: Transaction,
  calls: readonly CallRow[],
  content: S,
): Promise<ReadonlyMap<string, readonly RecordRow<S extends 'content' ? DiagnosticsRecord : null>[]>> {
  const days = new Map(calls.flatMap((row) => (row.record_rows ? [[row.call_key, row.stored_on]] : [])));
  if (days.size === 0) return new Map();
  const { rows } = await transaction.query<RecordRow<S extends 'content' ? DiagnosticsRecord : null>>(
    `select call_key, stored_on::text, id, digest, size, (extract(epoch from received_at) * 1000)::float8 as received_ms,
       remote_address, certificate_subject, ${content}
     from records where call_key = any($1) and stored_on = any($2::date[])`,
    [[...days.keys()], [...new Set(days.values())]],
  );
  return Map.groupBy(
    rows.filter((row) => days.get(row.call_key) === row.stored_on),
    (row) => row.call_key,
  );
}

function isLarge({ record_size, event_count }: CallRow): boolean {
  return (record_size ?? 0) > LARGE_SIZE || (event_count ?? 0) > LARGE_EVENTS;
}

function storedCall({ looked_at, revisions, waits, stale, stored_on }: CallRow): StoredCall {
  return { history: { checkedAt: looked_at?.getTime(), revisions }, waits, stale, storedOn: stored_on };
}

/** None for a call whose records are gone. */
type Found<C> = readonly (readonly [callKey: string, call: C])[];

function knownCall(call: CallRow, recordRows: readonly RecordRow<DiagnosticsRecord>[]): Found<KnownCall> {
  const packed = packedOf(call);
  const records = [
    ...packed.map((record) => feedRecord(withoutTexts(record), parsedContent(record))),
    ...recordRows.map(({ id, digest, size, received_ms, remote_address, certificate_subject, content }) => {
      const sender = { remoteAddress: remote_address, certificateSubject: certificate_subject };
      return feedRecord({ id, digest, size, receivedAt: received_ms, ...sender }, content);
    }),
  ];
  if (records.length === 0) return [];
  const byDigest = new Map(packed.map((record) => [record.digest, record]));
  return [[call.call_key, { ...storedCall(call), records, packed: byDigest, hasRecordRows: call.record_rows }]];
}

function largeCall(call: CallRow, recordRows: readonly RecordRow<null>[]): Found<LargeCall> {
  const records = [
    ...packedOf(call).map(({ id, digest, size, receivedAt }) => ({ id, digest, size, receivedAt })),
    ...recordRows.map(({ id, digest, size, received_ms }) => ({ id, digest, size, receivedAt: received_ms })),
  ];
  const size = records.reduce((sum, record) => sum + record.size, 0);
  if (records.length === 0) return [];
  const extent = { size, events: call.event_count ?? 0 };
  return [[call.call_key, { ...storedCall(call), identities: records, extent }]];
}

function packedOf({ packed_records }: CallRow): readonly PackedRecord[] {
  return packed_records === null ? [] : unpackRecords(packed_records);
}

/** What is kept of a record for as long as its call is. */
function withoutTexts({
  content: _content,
  xml: _xml,
  ...record
}: PackedRecord): Omit<PackedRecord, 'content' | 'xml'> {
  return record;
}

function feedRecord<R extends StoredSender>(
  stored: R,
  record: DiagnosticsRecord,
): R & Pick<FeedRecord, 'feed' | 'record'> {
  const { remoteAddress, certificateSubject } = stored;
  const sentBy = { remoteAddress: remoteAddress ?? undefined, certificateSubject: certificateSubject ?? undefined };
  return { ...stored, feed: recordFeed(record, sentBy), record };
}
