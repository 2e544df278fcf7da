import type { TracedContent } from '@ringdown/contracts/traces';
import { callKey } from '../calls/call-keys.js';
import { replacedCallKeys } from '../calls/life/call-links.js';
import type { Call } from '../calls/call.js';
import type { Database } from '../store/database/database.js';
import { linkedTo } from '../store/calls/linked-calls.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../store/records/stored-call.js';
import type { Transaction } from '../store/database/transaction.js';
import type { CallMessage, StoredMessage } from './call-message.js';
import { mergeCaptures } from './merge-captures.js';
import { messageDigest } from './message-digests.js';
import { unpackMessages } from './packed-messages.js';

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
  const { rows } = await transaction.query<StoredCallRow>(
    `select ${STORED_CALL} from calls join call_places using (call_key, stored_on) where call_key = $1`,
    [key],
  );
  return rows[0] && storedCall(rows[0]);
}

async function keysOfLegs(transaction: Transaction, key: string, call: Call): Promise<readonly string[]> {
  const linked = await linkedTo(transaction, key, call);
  return [...new Set([key, ...linked.map(({ callId }) => callKey(callId)), ...replacedCallKeys(call)])];
}

/** What was read of the captures that there are. */
interface CapturesRead {
  readonly captures: readonly (readonly [digest: string, StoredMessage])[];
  readonly captured: number;
}

async function capturesOf(transaction: Transaction, keys: readonly string[]): Promise<Captures> {
  const [rows, chunks] = [await rowsOfCalls(transaction, keys), await chunksOfCalls(transaction, keys)];
  // The same capture may be stored twice: in two segments, when it was sent again after the first one was closed, and in two chunks,
  // when its batch was divided in another way.
  const unique = new Map([...rows.captures, ...chunks.captures]);
  const captures = firstCaptures([...unique.values()].toSorted((one, other) => one.at - other.at));
  const isCut = captures.length < unique.size;
  const isRead = rows.captures.length + chunks.captures.length === rows.captured + chunks.captured;
  return { captures, isTruncated: isCut || !isRead };
}

/** As many as one response may contain. */
function firstCaptures(captures: readonly StoredMessage[]): readonly StoredMessage[] {
  let bytes = 0;
  const end = captures.findIndex(
    ({ payload }, index) => index >= MAX_CAPTURES || (bytes += payload.length) > MAX_BYTES,
  );
  return end === -1 ? captures : captures.slice(0, end);
}

/** Those of before there were chunks. */
async function rowsOfCalls(transaction: Transaction, keys: readonly string[]): Promise<CapturesRead> {
  const { rows } = await transaction.query<Row>(
    `select encode(digest, 'hex') as digest, captured, call_id, at::text as at, front_end, point, host(source) as source, source_port, host(destination) as destination,
       destination_port, content, payload
     from (
       select *, sum(length(payload)) over (order by at, digest) as bytes, (count(*) over ())::integer as captured from trace_messages where call_key = any($1)
     ) as so_far
     where bytes <= $2 order by at, digest limit $3`,
    [keys, MAX_BYTES, MAX_CAPTURES],
  );
  return { captures: rows.map((row) => [row.digest, messageOfRow(row)]), captured: rows[0]?.captured ?? 0 };
}

function messageOfRow(row: Row): StoredMessage {
  return {
    callId: row.call_id,
    at: Number(row.at),
    frontEnd: row.front_end,
    point: row.point,
    source: { ip: row.source, port: row.source_port },
    destination: { ip: row.destination, port: row.destination_port },
    content: row.content,
    payload: row.payload,
  };
}

/** Chunks that begin first, until they have as much as one response may contain. */
async function chunksOfCalls(transaction: Transaction, keys: readonly string[]): Promise<CapturesRead> {
  const { rows } = await transaction.query<{ packed: Buffer; captured: number }>(
    `select packed, captured
     from (
       select packed, first_at, digest, (sum(messages) over ())::integer as captured,
         sum(size) over earlier - size as bytes, sum(messages) over earlier - messages as count
       from trace_chunks where call_key = any($1) window earlier as (order by first_at, digest, segment)
     ) as so_far
     where bytes < $2 and count < $3 order by first_at, digest`,
    [keys, MAX_BYTES, MAX_CAPTURES],
  );
  const captures = rows.flatMap(({ packed }) => unpackMessages(packed));
  return { captures: captures.map((each) => [messageDigest(each), each]), captured: rows[0]?.captured ?? 0 };
}
