import type { PublishedRecord } from '@ringdown/bus';
import { callKey, frontEndKey, linkKey, partyKey } from '../calls/call-keys.js';
import type { CallLinks } from '../calls/call-links.js';
import type { CallHistory, DerivedCall } from '../calls/derive-call.js';
import { plausibleTime, type FeedRecord } from '../calls/feed-record.js';
import { isoTime } from '../calls/report-source.js';
import type { Transaction } from './database.js';

/** Many rows go to the database as one JSON document: one statement, one plan, no limit of parameters. */
const CHUNK_ROWS = 500;
const CHUNK_CHARACTERS = 4 * 1_024 * 1_024;

/** JSON documents of rows, each small enough for one statement. */
export function* jsonChunks(rows: Iterable<unknown>): Generator<string> {
  let chunk: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (chunk.length > 0 && (chunk.length >= CHUNK_ROWS || characters + text.length > CHUNK_CHARACTERS)) {
      yield `[${chunk.join(',')}]`;
      chunk = [];
      characters = 0;
    }
    chunk.push(text);
    characters += text.length;
  }
  if (chunk.length > 0) yield `[${chunk.join(',')}]`;
}

export const INSERT_RECORDS = `
  insert into records (call_key, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml)
  select call_key, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml
  from json_to_recordset($1::json) as new (
    call_key text, digest text, id text, size integer, received_at timestamptz, sent_at timestamptz,
    kinds text[], front_ends text[], content json, xml text
  )
  on conflict (call_key, digest) do update set received_at = least(records.received_at, excluded.received_at)`;

export function recordRow({ digest, size, id, receivedAt, record }: FeedRecord, { xml }: PublishedRecord): unknown {
  const sentAt = plausibleTime(record.connection.timeStamp);
  return {
    call_key: callKey(record.connection.callId),
    digest,
    id,
    size,
    received_at: isoTime(receivedAt),
    sent_at: sentAt === undefined ? null : isoTime(sentAt),
    kinds: [...new Set(record.events.map(({ kind }) => kind))],
    front_ends: record.connection.frontEnds,
    content: record,
    xml,
  };
}

/** Columns of `calls` and their types, for {@link callRow}. */
const CALL_COLUMNS = {
  call_key: 'text',
  state: 'text',
  verdict: 'text',
  began_at: 'timestamptz',
  ended_at: 'timestamptz',
  version: 'integer',
  front_ends: 'text[]',
  parties: 'text[]',
  call: 'jsonb',
  waits_for: 'text',
  waits_since: 'timestamptz',
  looked_at: 'timestamptz',
  revisions: 'integer',
  conversation_key: 'text',
  conference_key: 'text',
  correlation_key: 'text',
  stale: 'boolean',
} as const;

const names = Object.keys(CALL_COLUMNS);

const UPSERT_CALLS = `
  insert into calls (${names.join(', ')})
  select ${names.join(', ')} from json_to_recordset($1::json) as new (
    ${Object.entries(CALL_COLUMNS)
      .map((column) => column.join(' '))
      .join(', ')}
  )
  on conflict (call_key) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** A call as it goes into the database. */
export interface CallToStore extends DerivedCall {
  readonly history: CallHistory;
}

export async function upsertCalls(transaction: Transaction, calls: readonly CallToStore[]): Promise<void> {
  for (const rows of jsonChunks(calls.map(callRow))) await transaction.query(UPSERT_CALLS, [rows]);
}

function callRow({ call, waiting, history }: CallToStore): Record<keyof typeof CALL_COLUMNS, unknown> {
  return {
    call_key: callKey(call.callId),
    state: call.state,
    verdict: call.verdict,
    began_at: call.beganAt,
    ended_at: call.endedAt,
    version: call.version,
    front_ends: [...new Set(call.frontEnds.map(frontEndKey))],
    parties: [...new Set(call.parties.flatMap(({ uri }) => (uri === undefined ? [] : partyKey(uri))))],
    call,
    waits_for: waiting?.timeout ?? null,
    waits_since: waiting === undefined ? null : isoTime(waiting.since),
    looked_at: history.lookedAt === undefined ? null : isoTime(history.lookedAt),
    revisions: history.revisions,
    ...linkKeys(call),
    stale: false,
  };
}

export interface LinkKeys {
  readonly conversation_key: string | null;
  readonly conference_key: string | null;
  readonly correlation_key: string | null;
}

/** By what the calls of one conversation, conference or mediation find each other. */
export function linkKeys({ conversationId, conferenceId, correlationId }: CallLinks): LinkKeys {
  return {
    conversation_key: conversationId && linkKey(conversationId),
    conference_key: conferenceId && linkKey(conferenceId),
    correlation_key: correlationId && linkKey(correlationId),
  };
}

export const COUNT_FRONT_ENDS = `
  insert into front_ends (partition, name_key, name, first_seen, last_seen, records, duplicates)
  select $2, name_key, name, first_seen, last_seen, records, duplicates
  from json_to_recordset($1::json) as new (
    name_key text, name text, first_seen timestamptz, last_seen timestamptz, records bigint, duplicates bigint
  )
  on conflict (partition, name_key) do update set
    first_seen = least(front_ends.first_seen, excluded.first_seen),
    last_seen = greatest(front_ends.last_seen, excluded.last_seen),
    records = front_ends.records + excluded.records,
    duplicates = front_ends.duplicates + excluded.duplicates`;

interface FrontEndCount {
  readonly name: string;
  firstSeen: number;
  lastSeen: number;
  records: number;
  duplicates: number;
}

/** One row a front end, from all records of a batch; `added` are those that were not there before. */
export function frontEndRows(records: Iterable<FeedRecord>, added: ReadonlySet<FeedRecord>): readonly unknown[] {
  const counts = new Map<string, FrontEndCount>();
  for (const record of records) {
    const { receivedAt } = record;
    for (const name of record.record.connection.frontEnds) {
      const none = { name, firstSeen: receivedAt, lastSeen: receivedAt, records: 0, duplicates: 0 };
      const count = counts.get(frontEndKey(name)) ?? none;
      count.firstSeen = Math.min(count.firstSeen, receivedAt);
      count.lastSeen = Math.max(count.lastSeen, receivedAt);
      if (added.has(record)) count.records++;
      else count.duplicates++;
      counts.set(frontEndKey(name), count);
    }
  }
  return [...counts].map(([key, { name, firstSeen, lastSeen, records: count, duplicates }]) => ({
    name_key: key,
    name,
    first_seen: isoTime(firstSeen),
    last_seen: isoTime(lastSeen),
    records: count,
    duplicates,
  }));
}
