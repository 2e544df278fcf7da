import type { TracedContent } from '@ringdown/contracts/traces';
import { callKey } from '../calls/call-keys.js';
import { replacedCallKeys } from '../calls/life/call-links.js';
import type { Call } from '../calls/call.js';
import type { Database } from '../store/database/database.js';
import { linkedTo } from '../store/calls/linked-calls.js';
import type { Transaction } from '../store/database/transaction.js';
import type { CallMessage, StoredMessage } from './call-message.js';
import { mergeCaptures } from './merge-captures.js';

/** Whether only the call is requested, or all legs of its conversation. */
export type Legs = 'one' | 'all';

export interface CallMessages {
  /** Of the calls that were searched. */
  readonly callKeys: readonly string[];
  readonly messages: readonly CallMessage[];
  /** More were captured than one response contains. */
  readonly isTruncated: boolean;
}

/** A call of a few minutes has 20 to 60. */
const MAX_CAPTURES = 5_000;
const MAX_BYTES = 16 * 1_024 * 1_024;

interface Captures {
  readonly captures: readonly StoredMessage[];
  readonly isTruncated: boolean;
}

interface Row {
  readonly digest: string;
  readonly captured: number;
  readonly call_id: string;
  readonly at: string;
  readonly front_end: string;
  readonly point: string;
  readonly source: string;
  readonly source_port: number;
  readonly destination: string;
  readonly destination_port: number;
  readonly content: TracedContent;
  readonly payload: Buffer;
}

/** Reads messages of calls. */
export class TraceQueries {
  constructor(private readonly database: Database) {}

  /** Undefined when neither the call nor a message of it is known. */
  ofCall(callId: string, legs: Legs): Promise<CallMessages | undefined> {
    const key = callKey(callId);
    // PostgreSQL does not allow this character in texts.
    if (key.includes('\0')) return Promise.resolve(undefined);
    return this.database.read(async (transaction) => {
      const call = await callAt(transaction, key);
      const keys = legs === 'all' && call !== undefined ? await keysOfLegs(transaction, key, call) : [key];
      const { captures, isTruncated } = await capturesOf(transaction, keys);
      if (call === undefined && captures.length === 0) return undefined;
      return { callKeys: keys, messages: mergeCaptures(captures), isTruncated };
    });
  }
}

async function callAt(transaction: Transaction, key: string): Promise<Call | undefined> {
  const { rows } = await transaction.query<{ call: Call }>(
    'select call from calls join call_places using (call_key, stored_on) where call_key = $1',
    [key],
  );
  return rows[0]?.call;
}

async function keysOfLegs(transaction: Transaction, key: string, call: Call): Promise<readonly string[]> {
  const linked = await linkedTo(transaction, key, call);
  return [...new Set([key, ...linked.map(({ callId }) => callKey(callId)), ...replacedCallKeys(call)])];
}

async function capturesOf(transaction: Transaction, keys: readonly string[]): Promise<Captures> {
  const { rows } = await transaction.query<Row>(
    `select encode(digest, 'hex') as digest, captured, call_id, at::text as at, front_end, point, host(source) as source, source_port, host(destination) as destination,
       destination_port, content, payload
     from (
       select *, sum(length(payload)) over (order by at, digest) as bytes, (count(*) over ())::integer as captured from trace_messages where call_key = any($1)
     ) as so_far
     where bytes <= $2 order by at, digest limit $3`,
    [keys, MAX_BYTES, MAX_CAPTURES],
  );
  // The same capture may be stored in two segments, when it was sent again after the first one was closed.
  const unique = new Map(rows.map((row) => [row.digest, row]));
  const captures = [...unique.values()].map((row) => ({
    callId: row.call_id,
    at: Number(row.at),
    frontEnd: row.front_end,
    point: row.point,
    source: { ip: row.source, port: row.source_port },
    destination: { ip: row.destination, port: row.destination_port },
    content: row.content,
    payload: row.payload,
  }));
  return { captures, isTruncated: (rows[0]?.captured ?? 0) > rows.length };
}
