import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import { NO_HISTORY, type CallHistory } from '../calls/derive-call.js';
import type { FeedRecord } from '../calls/feed-record.js';
import type { Transaction } from './transaction.js';

/** What the database has of one call. */
export interface KnownCall {
  readonly records: readonly FeedRecord[];
  readonly history: CallHistory;
  /** Whether it is in progress and a time-out may end it. */
  readonly waits: boolean;
  /** Whether it was stored by an older program. */
  readonly stale: boolean;
  /** The day that determines the week in which it is kept; undefined for a call that is not stored yet. */
  readonly storedOn: string | undefined;
}

export const UNKNOWN_CALL: KnownCall = {
  records: [],
  history: NO_HISTORY,
  waits: false,
  stale: false,
  storedOn: undefined,
};

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
  interface Row {
    readonly call_key: string;
    readonly id: string;
    readonly digest: string;
    readonly size: number;
    /** Milliseconds since 1970; parsing a date from text costs more than the rest of the row. */
    readonly received_ms: number;
    readonly content: DiagnosticsRecord;
    readonly looked_at: Date | null;
    readonly revisions: number;
    readonly waits: boolean;
    readonly stale: boolean;
    readonly stored_on: string;
  }
  if (callKeys.length === 0) return new Map();
  const places = await storedDaysOf(transaction, callKeys);
  if (places.size === 0) return new Map();
  const { rows } = await transaction.query<Row>(
    `select call_key, id, digest, size, (extract(epoch from received_at) * 1000)::float8 as received_ms, content,
       case when looked_at > now() then now() else looked_at end as looked_at, revisions,
       waits_for is not null as waits, stale, stored_on::text
     from records join calls using (call_key, stored_on) where call_key = any($1) and stored_on = any($2::date[])`,
    [[...places.keys()], [...new Set(places.values())]],
  );
  const calls = [...Map.groupBy(rows, (row) => row.call_key)];
  return new Map(calls.flatMap(([key, ofCall]) => (ofCall[0] ? [[key, knownCall(ofCall[0], ofCall)]] : [])));

  function knownCall({ looked_at, revisions, waits, stale, stored_on }: Row, ofCall: readonly Row[]): KnownCall {
    return {
      records: ofCall.map(({ id, digest, size, received_ms, content }) => {
        return { id, digest, size, receivedAt: received_ms, record: content };
      }),
      history: { checkedAt: looked_at?.getTime(), revisions },
      waits,
      stale,
      storedOn: stored_on,
    };
  }
}
