import type { PublishedRecord } from '@ringdown/bus';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { callKey, frontEndKey } from '../calls/call-keys.js';
import type { CallHistory, DerivedCall } from '../calls/derive-call.js';
import { lastedUntil, mediaFacts } from '../calls/media-facts.js';
import { plausibleTime, type FeedRecord } from '../calls/feed-record.js';
import { isoTime } from '../calls/report-source.js';
import { addressesOf, searchKeys } from '../calls/search-keys.js';
import type { Transaction } from './database.js';
import { jsonChunks } from './json-rows.js';

/** What is new is kept in this week, by the clock of the database: its tables are there. */
const STORED_ON = `coalesce(stored_on, (now() at time zone 'utc')::date)`;

export const INSERT_RECORDS = `
  insert into records (call_key, stored_on, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml)
  select call_key, ${STORED_ON}, digest, id, size, received_at, sent_at, kinds, front_ends, content, xml
  from json_to_recordset($1::json) as new (
    call_key text, stored_on date, digest text, id text, size integer, received_at timestamptz, sent_at timestamptz,
    kinds text[], front_ends text[], content json, xml text
  )
  on conflict (call_key, stored_on, digest) do update set received_at = least(records.received_at, excluded.received_at)`;

/** `storedOn`: the day of its call's week, where that is stored already. */
export function recordRow(
  { digest, size, id, receivedAt, record }: FeedRecord,
  { xml }: PublishedRecord,
  storedOn: string | undefined,
): unknown {
  const sentAt = plausibleTime(record.connection.timeStamp);
  return {
    call_key: callKey(record.connection.callId),
    stored_on: storedOn,
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
  stored_on: 'date',
  state: 'text',
  verdict: 'text',
  began_at: 'timestamptz',
  ended_at: 'timestamptz',
  duration_seconds: 'double precision',
  version: 'integer',
  front_ends: 'text[]',
  search_keys: 'text[]',
  addresses: 'inet[]',
  lasted_until: 'timestamptz',
  media: 'jsonb',
  call: 'json',
  waits_for: 'text',
  waits_since: 'timestamptz',
  looked_at: 'timestamptz',
  revisions: 'integer',
  stale: 'boolean',
} as const;

const names = Object.keys(CALL_COLUMNS);

const UPSERT_CALLS = `
  with new as (
    select ${names.map((name) => (name === 'stored_on' ? `${STORED_ON} as stored_on` : name)).join(', ')}
    from json_to_recordset($1::json) as new (
      ${Object.entries(CALL_COLUMNS)
        .map((column) => column.join(' '))
        .join(', ')}
    )
  ), placed as (
    insert into call_places (call_key, stored_on) select call_key, stored_on from new
    on conflict (call_key) do update set stored_on = excluded.stored_on
      where call_places.stored_on <> excluded.stored_on
  )
  insert into calls (${names.join(', ')}) select ${names.join(', ')} from new
  on conflict (call_key, stored_on) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/** A call as it goes into the database. */
export interface CallToStore extends DerivedCall {
  readonly history: CallHistory;
  /** The day of its week, where it is stored already. */
  readonly storedOn: string | undefined;
}

/** `hiding`: for the tokens that calls are found by as well. */
export async function upsertCalls(
  transaction: Transaction,
  calls: readonly CallToStore[],
  hiding: IdentityHiding | undefined,
): Promise<void> {
  for (const rows of jsonChunks(calls.map((call) => callRow(call, hiding))))
    await transaction.query(UPSERT_CALLS, [rows]);
}

function callRow(
  { call, waiting, history, storedOn }: CallToStore,
  hiding: IdentityHiding | undefined,
): Record<keyof typeof CALL_COLUMNS, unknown> {
  return {
    call_key: callKey(call.callId),
    stored_on: storedOn,
    state: call.state,
    verdict: call.verdict,
    began_at: call.beganAt,
    ended_at: call.endedAt,
    duration_seconds: call.duration?.seconds ?? UNKNOWN_DURATION,
    version: call.version,
    front_ends: [...new Set(call.frontEnds.map(frontEndKey))],
    search_keys: searchKeys(call, hiding),
    addresses: addressesOf(call).map(({ text }) => text),
    lasted_until: lastedUntil(call),
    media: mediaFacts(call),
    call,
    waits_for: waiting?.timeout ?? null,
    waits_since: waiting === undefined ? null : isoTime(waiting.since),
    looked_at: history.lookedAt === undefined ? null : isoTime(history.lookedAt),
    revisions: history.revisions,
    stale: false,
  };
}

/** Sorts before all that are known. */
const UNKNOWN_DURATION = -1;
