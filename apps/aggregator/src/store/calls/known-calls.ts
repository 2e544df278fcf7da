import { recordFeed } from '@ringdown/contracts/feed-of';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import type { CallExtent, RecordIdentity } from '../../calls/life/admission.js';
import { NO_HISTORY, type CallHistory } from '../../calls/derive-call.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import type { Transaction } from '../database/transaction.js';

interface StoredCall {
  readonly history: CallHistory;
  /** Whether it is in progress and a time-out may end it. */
  readonly waits: boolean;
  /** Whether it was stored by an older program. */
  readonly stale: boolean;
  /** The day that determines the week in which it is kept; undefined for a call that is not stored yet. */
  readonly storedOn: string | undefined;
}

/** What the database has of one call. */
export interface KnownCall extends StoredCall {
  readonly records: readonly FeedRecord[];
}

/** A call whose records are loaded only when one is added to them. */
export interface LargeCall extends StoredCall {
  readonly identities: readonly RecordIdentity[];
  readonly extent: CallExtent;
}

export const UNKNOWN_CALL: KnownCall = {
  records: [],
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
export function knownCalls(
  transaction: Transaction,
  callKeys: readonly string[],
): Promise<ReadonlyMap<string, KnownCall>> {
  return callsFromRows<Content, KnownCall>(transaction, callKeys, 'content', knownCall);
}

/** Like {@link knownCalls}, without the contents of large calls. */
export function callsToExtend(
  transaction: Transaction,
  callKeys: readonly string[],
): Promise<ReadonlyMap<string, KnownCall | LargeCall>> {
  const isLarge = `record_size > ${LARGE_SIZE} or event_count > ${LARGE_EVENTS}`;
  const content = `case when ${isLarge} then null else content end as content`;
  return callsFromRows<Content | null, KnownCall | LargeCall>(transaction, callKeys, content, (first, rows) =>
    haveContents(rows) ? knownCall(first, rows) : largeCall(first, rows),
  );
}

type Content = DiagnosticsRecord;

interface Row<C> {
  readonly call_key: string;
  readonly id: string;
  readonly digest: string;
  readonly size: number;
  /** Milliseconds since 1970; parsing a date from text costs more than the rest of the row. */
  readonly received_ms: number;
  readonly remote_address: string | null;
  readonly certificate_subject: string | null;
  readonly content: C;
  readonly looked_at: Date | null;
  readonly revisions: number;
  readonly waits: boolean;
  readonly stale: boolean;
  readonly stored_on: string;
  readonly event_count: number | null;
}

/** `content`: the column. `read` gets the rows of one call, which has at least one. */
async function callsFromRows<C, T>(
  transaction: Transaction,
  callKeys: readonly string[],
  content: string,
  read: (first: Row<C>, rows: readonly Row<C>[]) => T,
): Promise<ReadonlyMap<string, T>> {
  if (callKeys.length === 0) return new Map();
  const places = await storedDaysOf(transaction, callKeys);
  if (places.size === 0) return new Map();
  const { rows } = await transaction.query<Row<C>>(
    `select call_key, id, digest, size, (extract(epoch from received_at) * 1000)::float8 as received_ms, remote_address, certificate_subject, ${content},
       case when looked_at > now() then now() else looked_at end as looked_at, revisions,
       waits_for is not null as waits, stale, stored_on::text, event_count
     from records join calls using (call_key, stored_on) where call_key = any($1) and stored_on = any($2::date[])`,
    [[...places.keys()], [...new Set(places.values())]],
  );
  const calls = [...Map.groupBy(rows, (row) => row.call_key)];
  return new Map(calls.flatMap(([key, ofCall]) => (ofCall[0] ? [[key, read(ofCall[0], ofCall)]] : [])));
}

function haveContents(rows: readonly Row<Content | null>[]): rows is readonly Row<Content>[] {
  return rows.every(({ content }) => content !== null);
}

function storedCall({ looked_at, revisions, waits, stale, stored_on }: Row<unknown>): StoredCall {
  return { history: { checkedAt: looked_at?.getTime(), revisions }, waits, stale, storedOn: stored_on };
}

function knownCall(first: Row<unknown>, rows: readonly Row<Content>[]): KnownCall {
  const records = rows.map(({ id, digest, size, received_ms, remote_address, certificate_subject, content }) => {
    const sentBy = {
      remoteAddress: remote_address ?? undefined,
      certificateSubject: certificate_subject ?? undefined,
    };
    return { id, digest, size, receivedAt: received_ms, feed: recordFeed(content, sentBy), record: content };
  });
  return { ...storedCall(first), records };
}

function largeCall(first: Row<unknown>, rows: readonly Row<unknown>[]): LargeCall {
  return {
    ...storedCall(first),
    identities: rows.map(({ id, digest, received_ms }) => ({ id, digest, receivedAt: received_ms })),
    extent: { size: rows.reduce((sum, { size }) => sum + size, 0), events: first.event_count ?? 0 },
  };
}
