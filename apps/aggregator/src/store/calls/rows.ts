import { CALL_RANGES, RANGE_NAMES, type RangeName } from '@ringdown/call-catalogue/filters';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { worstMetrics } from '@ringdown/quality';
import { callExtent } from '../../calls/life/admission.js';
import { callKey, frontEndKey } from '../../calls/call-keys.js';
import { isUploaded } from '../../calls/life/uploaded-calls.js';
import { callJson } from '../../calls/call-json.js';
import type { CallHistory, DerivedCall } from '../../calls/derive-call.js';
import { lastedUntil, mediaFacts } from '../../calls/streams/media-facts.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import { numberPairKeys } from '../../search/keys/number-pairs.js';
import { rangeValues } from '../../calls/range-values.js';
import { isoTime } from '../../calls/streams/report-source.js';
import { callAddresses, mediaSearchKeys, searchKeys } from '../../search/keys/search-keys.js';
import { searchText } from '../../search/words/search-text.js';
import { packRecords, type PackedRecord } from '../records/packed-records.js';
import { sealCall } from '../records/sealed-call.js';
import { columnChunks, rowsFrom, typed, type ColumnTypes, type RowOf } from '../database/columns.js';
import { prepared, type Transaction } from '../database/transaction.js';

/** New calls are kept in this week, by the clock of the database: its tables exist. */
const STORED_ON = `coalesce(new.stored_on::date, (now() at time zone 'utc')::date)`;

type RangeColumn = (typeof CALL_RANGES)[RangeName]['column'];

/** One value for each column of a range. */
function forRanges<T>(valueOf: (name: RangeName) => T): Readonly<Record<RangeColumn, T>> {
  const values: Partial<Record<RangeColumn, T>> = {};
  for (const name of RANGE_NAMES) values[CALL_RANGES[name].column] = valueOf(name);
  return values as Record<RangeColumn, T>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has an entry for each column
}

/** Columns of `calls` and their types, for {@link callRow}, but those of {@link callDocuments}. */
const SEARCHED_COLUMNS = {
  call_key: 'text',
  stored_on: 'date',
  state: 'text',
  verdict: 'text',
  began_at: 'timestamptz',
  ended_at: 'timestamptz',
  invited_at: 'timestamptz',
  ...forRanges(() => 'double precision'),
  uploaded: 'boolean',
  version: 'integer',
  front_ends: 'text[]',
  search_keys: 'text[]',
  addresses: 'inet[]',
  shown_text: 'text',
  identity_text: 'text',
  lasted_until: 'timestamptz',
  media: 'jsonb',
  waits_for: 'text',
  waits_since: 'timestamptz',
  looked_at: 'timestamptz',
  revisions: 'integer',
  stale: 'boolean',
  record_size: 'integer',
  event_count: 'integer',
  record_rows: 'boolean',
} as const;

const CALL_COLUMNS = { ...SEARCHED_COLUMNS, call: 'json', call_bytes: 'integer', packed_records: 'bytea' } as const;

const UPSERT_CALLS = `
  ${insertInto('calls', CALL_COLUMNS)}
  on conflict (call_key, stored_on) do update set ${Object.keys(CALL_COLUMNS)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

const PLACE_COLUMNS = { call_key: 'text', stored_on: 'date' } as const;

/** A place may outlive the week of its call. */
const PLACE_CALLS = `
  ${insertInto('call_places', PLACE_COLUMNS)}
  on conflict (call_key) do update set stored_on = excluded.stored_on
    where call_places.stored_on <> excluded.stored_on`;

export function insertInto(table: string, types: ColumnTypes): string {
  const names = Object.keys(types);
  const values = names.map((name) => (name === 'stored_on' ? STORED_ON : typed(types, name)));
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${rowsFrom(types)}`;
}

/** A call in the form in which it is stored. */
export interface CallToStore extends DerivedCall {
  readonly records: readonly FeedRecord[];
  readonly history: CallHistory;
  /** The day of its week, if it is already stored. */
  readonly storedOn: string | undefined;
  /** Those of its records that are packed, by digest. */
  readonly packed: ReadonlyMap<string, PackedRecord>;
  /** Whether some of its records are rows. */
  readonly hasRecordRows: boolean;
}

export type CallRow = RowOf<typeof SEARCHED_COLUMNS>;

/** A call that is written, and its row. */
export type ChangedCall = Pick<CallToStore, 'call' | 'packed'> & { readonly row: CallRow };

export async function upsertCalls(transaction: Transaction, changed: readonly ChangedCall[]): Promise<void> {
  const unplaced = changed.filter(({ row }) => row.stored_on === undefined);
  const places = unplaced.map(({ row }) => ({ call_key: row.call_key, stored_on: null }));
  for (const columns of columnChunks(PLACE_COLUMNS, places))
    await transaction.query(prepared(transaction, PLACE_CALLS, columns));
  const rows = changed.values().map((each) => ({ ...each.row, ...callDocuments(each) }));
  for (const columns of columnChunks(CALL_COLUMNS, rows))
    await transaction.query(prepared(transaction, UPSERT_CALLS, columns));
}

/** `hiding`: for the tokens by which calls can also be found. */
export function callRow(stored: CallToStore, hiding: IdentityHiding | undefined): CallRow {
  const { call, records, waiting, history, storedOn, hasRecordRows } = stored;
  const media = mediaFacts(call);
  const numbers = rangeValues(call, worstMetrics(media));
  const extent = callExtent(records);
  const addresses = callAddresses(call);
  const { shown, identity } = searchText(call, hiding);
  return {
    call_key: callKey(call.callId),
    stored_on: storedOn,
    state: call.state,
    verdict: call.verdict,
    began_at: call.beganAt,
    ended_at: call.endedAt,
    invited_at: call.invitedAt,
    ...forRanges((name) => numbers[name] ?? (name === 'durationSeconds' ? UNKNOWN_DURATION : null)),
    uploaded: isUploaded(call),
    version: call.version,
    front_ends: [...new Set(call.feeds.map(frontEndKey))],
    search_keys: [
      ...searchKeys(call, addresses, hiding),
      ...mediaSearchKeys(media, hiding),
      ...numberPairKeys('numbers', shown),
      ...numberPairKeys('hiddenNumbers', identity),
    ],
    addresses: addresses.map(({ text }) => text),
    shown_text: shown,
    identity_text: identity,
    lasted_until: lastedUntil(call),
    media: JSON.stringify(media),
    waits_for: waiting?.timeout ?? null,
    waits_since: waiting === undefined ? null : isoTime(waiting.since),
    looked_at: history.checkedAt === undefined ? null : isoTime(history.checkedAt),
    revisions: history.revisions,
    stale: false,
    record_size: extent.size,
    event_count: extent.events,
    record_rows: hasRecordRows,
  };
}

type Documents = Pick<RowOf<typeof CALL_COLUMNS>, 'call' | 'call_bytes' | 'packed_records'>;

/** A call is sealed with its records, unless it is too large. Not within a limit of time (zstd-frames.ts). */
export function callDocuments({ call, packed }: Pick<CallToStore, 'call' | 'packed'>): Documents {
  const text = callJson(call);
  const records = packRecords([...packed.values()]);
  const sealed = sealCall(text, records);
  return sealed === undefined
    ? { call: text, call_bytes: null, packed_records: records }
    : { call: null, call_bytes: Buffer.byteLength(text), packed_records: sealed };
}

/** Sorts before all known durations. */
const UNKNOWN_DURATION = -1;
