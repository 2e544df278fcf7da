import type { PublishedRecord } from '@ringdown/contracts/records';
import { callKey } from '../../calls/call-keys.js';
import { plausibleTime, type FeedRecord } from '../../calls/feed-record.js';
import { isoTime } from '../../calls/streams/report-source.js';
import { columnChunks, type RowOf } from '../database/columns.js';
import { prepared, type Transaction } from '../database/transaction.js';
import { insertInto } from './rows.js';

/** Columns of `records` and their types, for {@link recordRow}. */
const RECORD_COLUMNS = {
  call_key: 'text',
  stored_on: 'date',
  digest: 'text',
  id: 'text',
  size: 'integer',
  received_at: 'timestamptz',
  sent_at: 'timestamptz',
  kinds: 'text[]',
  front_ends: 'text[]',
  content: 'json',
  xml: 'text',
  remote_address: 'text',
  certificate_subject: 'text',
} as const;

export type RecordRow = RowOf<typeof RECORD_COLUMNS>;

const INSERT_RECORDS = `
  ${insertInto('records', RECORD_COLUMNS)}
  on conflict (call_key, stored_on, digest) do update set received_at = excluded.received_at,
    remote_address = excluded.remote_address, certificate_subject = excluded.certificate_subject
  where excluded.received_at < records.received_at`;

export async function insertRecords(transaction: Transaction, rows: Iterable<RecordRow>): Promise<void> {
  for (const columns of columnChunks(RECORD_COLUMNS, rows))
    await transaction.query(prepared(transaction, INSERT_RECORDS, columns));
}

/** `storedOn`: the day of its call's week, if the call is already stored. */
export function recordRow(
  { digest, size, id, receivedAt, record }: FeedRecord,
  { xml, remoteAddress, certificateSubject }: PublishedRecord,
  storedOn: string | undefined,
): RecordRow {
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
    content: JSON.stringify(record),
    xml,
    remote_address: remoteAddress,
    certificate_subject: certificateSubject,
  };
}
