import type { EventKind } from '@ringdown/answers/records';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { MOST_AHEAD_MS, plausibleTime } from '../../calls/feed-record.js';
import { isoTime } from '../../calls/streams/report-source.js';
import type { Transaction } from '../database/transaction.js';
import { parsedContent, unpackRecords, type PackedRecord } from '../records/packed-records.js';

/**
 * The sender of the connection on which a record arrived; null for a record from an older collector, the subject also
 * when there was no certificate.
 */
export interface RecordSender {
  readonly remoteAddress: string | null;
  readonly certificateSubject: string | null;
}

/** One record of a call as received. */
export interface StoredRecord extends RecordSender {
  readonly id: string;
  /** Of the schema. */
  readonly version: string | null;
  readonly kinds: readonly EventKind[];
  readonly frontEnds: readonly string[];
  readonly cseq: number | null;
  /** Clock of the sender; null when the record has no time. */
  readonly sentAt: string | null;
  /** Clock of the collector. */
  readonly receivedAt: string;
  /** SDP of the request. */
  readonly rawSdp: string | null;
  /** Empty when the content was requested. */
  readonly xml: string;
  /** The parsed record, when that was requested. */
  readonly content?: DiagnosticsRecord;
}

/** Where the records of a call are. */
export interface RecordsPlace {
  readonly callKey: string;
  readonly storedOn: string;
  readonly packedRecords: Buffer | null;
  readonly hasRecordRows: boolean;
}

const MAX_RECORDS = 1_000;
const MAX_RECORD_CHARACTERS = 4 * 1_024 * 1_024;
/** The same rule as in {@link timeOf}. */
const TIME_OF_RECORD = `case when sent_at <= received_at + interval '${MOST_AHEAD_MS} milliseconds' then sent_at else received_at end`;

/** A record with what it is sorted by. */
interface Placed {
  readonly at: number;
  readonly digest: string;
  readonly size: number;
  readonly record: StoredRecord;
}

/** In the order of their times, as many as can be sent at once; `total`: how many there are. */
export async function storedRecords(
  transaction: Transaction,
  place: RecordsPlace,
  withContent: boolean,
): Promise<{ readonly records: readonly StoredRecord[]; readonly total: number }> {
  const packed = place.packedRecords === null ? [] : unpackRecords(place.packedRecords);
  const { rows, total } = place.hasRecordRows ? await recordRows(transaction, place, withContent) : NO_ROWS;
  const placed = [...packed.map((record) => placedRecord(record, withContent)), ...rows].toSorted(
    (one, other) => one.at - other.at || (one.digest < other.digest ? -1 : 1),
  );
  let characters = 0;
  const end = placed.findIndex(({ size }, index) => {
    characters += size;
    return index >= MAX_RECORDS || characters > MAX_RECORD_CHARACTERS;
  });
  const shown = end === -1 ? placed : placed.slice(0, end);
  return { records: shown.map(({ record }) => record), total: packed.length + total };
}

function placedRecord(packed: PackedRecord, withContent: boolean): Placed {
  const { id, digest, size, receivedAt, remoteAddress, certificateSubject, xml } = packed;
  const content = parsedContent(packed);
  const { connection, events, version = null, rawSdp = null } = content;
  const sentAt = plausibleTime(connection.timeStamp);
  const record = {
    id,
    version,
    kinds: [...new Set(events.map(({ kind }) => kind))],
    frontEnds: connection.frontEnds,
    cseq: connection.cseq ?? null,
    sentAt: sentAt === undefined ? null : isoTime(sentAt),
    receivedAt: isoTime(receivedAt),
    remoteAddress,
    certificateSubject,
    rawSdp,
    xml: withContent ? '' : xml.toString(),
    ...(withContent ? { content } : {}),
  };
  return { at: timeOf(sentAt, receivedAt), digest, size, record };
}

function timeOf(sentAt: number | undefined, receivedAt: number): number {
  return Math.trunc(sentAt !== undefined && sentAt <= receivedAt + MOST_AHEAD_MS ? sentAt : receivedAt);
}

interface Row {
  readonly at: number;
  readonly digest: string;
  readonly size: number;
  readonly total: number;
  readonly id: string;
  readonly kinds: readonly EventKind[];
  readonly front_ends: readonly string[];
  readonly sent_at: Date | null;
  readonly received_at: Date;
  readonly remote_address: string | null;
  readonly certificate_subject: string | null;
  readonly version: string | null;
  readonly cseq: number | null;
  readonly raw_sdp: string | null;
  readonly xml: string | null;
  readonly content: DiagnosticsRecord | null;
}

interface RecordRows {
  readonly rows: readonly Placed[];
  readonly total: number;
}

const NO_ROWS: RecordRows = { rows: [], total: 0 };

/** Those that are not packed, the first of them. */
async function recordRows(
  transaction: Transaction,
  { callKey, storedOn }: RecordsPlace,
  withContent: boolean,
): Promise<RecordRows> {
  const { rows } = await transaction.query<Row>(
    `select (extract(epoch from at) * 1000)::float8 as at, digest, size, total, id, kinds, front_ends, sent_at, received_at, remote_address,
       certificate_subject, content ->> 'version' as version, (content -> 'connection' ->> 'cseq')::float8 as cseq,
       content ->> 'rawSdp' as raw_sdp,
       case when not $5 then xml end as xml,
       case when $5 then content end as content
     from (
       select *, sum(size) over (order by at, digest) as characters, (count(*) over ())::integer as total
       from (select *, ${TIME_OF_RECORD} as at from records where call_key = $1 and stored_on = $2) as timed
     ) as so_far
     where characters <= $3 order by at, digest limit $4`,
    [callKey, storedOn, MAX_RECORD_CHARACTERS, MAX_RECORDS, withContent],
  );
  return { rows: rows.map((row) => ({ ...row, record: recordOfRow(row) })), total: rows[0]?.total ?? 0 };
}

function recordOfRow(row: Row): StoredRecord {
  return {
    id: row.id,
    version: row.version,
    kinds: row.kinds,
    frontEnds: row.front_ends,
    cseq: row.cseq,
    sentAt: row.sent_at?.toISOString() ?? null,
    receivedAt: row.received_at.toISOString(),
    remoteAddress: row.remote_address,
    certificateSubject: row.certificate_subject,
    rawSdp: row.raw_sdp,
    xml: row.xml ?? '',
    ...(row.content === null ? {} : { content: row.content }),
  };
}
