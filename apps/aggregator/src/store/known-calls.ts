import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import { NO_HISTORY, type CallHistory } from '../calls/derive-call.js';
import type { FeedRecord } from '../calls/feed-record.js';
import type { Transaction } from './database.js';

/** What the database has of one call. */
export interface KnownCall {
  readonly records: readonly FeedRecord[];
  readonly history: CallHistory;
  /** Whether it is going on and a time-out may end it. */
  readonly waits: boolean;
  /** Whether it is stored as an older program saw it. */
  readonly stale: boolean;
}

export const UNKNOWN_CALL: KnownCall = { records: [], history: NO_HISTORY, waits: false, stale: false };

/** By call key; calls that are not there are left out. */
export async function knownCalls(
  transaction: Transaction,
  callKeys: readonly string[],
): Promise<ReadonlyMap<string, KnownCall>> {
  interface Row {
    readonly call_key: string;
    readonly id: string;
    readonly digest: string;
    readonly size: number;
    readonly received_at: Date;
    readonly content: DiagnosticsRecord;
    readonly looked_at: Date | null;
    readonly revisions: number;
    readonly waits: boolean;
    readonly stale: boolean;
  }
  const { rows } = await transaction.query<Row>(
    `select call_key, id, digest, size, received_at, content, looked_at, revisions,
       waits_for is not null as waits, stale
     from records join calls using (call_key) where call_key = any($1)`,
    [callKeys],
  );
  const calls = [...Map.groupBy(rows, (row) => row.call_key)];
  return new Map(calls.flatMap(([key, ofCall]) => (ofCall[0] ? [[key, knownCall(ofCall[0], ofCall)]] : [])));

  function knownCall({ looked_at, revisions, waits, stale }: Row, ofCall: readonly Row[]): KnownCall {
    return {
      records: ofCall.map(({ id, digest, size, received_at, content }) => {
        return { id, digest, size, receivedAt: received_at.getTime(), record: content };
      }),
      history: { lookedAt: looked_at?.getTime(), revisions },
      waits,
      stale,
    };
  }
}
