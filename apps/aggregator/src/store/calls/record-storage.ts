import type { ReadRecord } from '@ringdown/contracts/records';
import type { FeedRecord } from '../../calls/feed-record.js';
import type { Fold } from '../../calls/fold.js';
import type { KnownCall } from './known-calls.js';
import { MOST_PACKED_BYTES, packedBytes, type PackedRecord } from '../records/packed-records.js';
import { recordRow, type RecordRow } from './record-rows.js';

export type Incoming = ReadonlyMap<FeedRecord, ReadRecord>;

/** How the records of a call are stored now. */
export interface RecordStorage {
  /** All that are packed, by digest. */
  readonly packed: ReadonlyMap<string, PackedRecord>;
  /** Those to be written as rows: of a call that has no more room, and copies of records that are rows. */
  readonly recordRows: readonly RecordRow[];
  /** Whether the call has rows. */
  readonly hasRecordRows: boolean;
}

/** New records are packed with those that the call has, as far as there is room. */
export function recordStorage(
  { records, added, earlier }: Pick<Fold, 'records' | 'added' | 'earlier'>,
  { packed: known, hasRecordRows, storedOn }: KnownCall,
  incoming: Incoming,
): RecordStorage {
  // A record and an earlier copy of it may have arrived together: it is stored once, with the time that the call uses now.
  const arrived = new Map([...earlier, ...added].map((record) => [record.digest, incoming.get(record)]));
  const isNew = new Set(added.map(({ digest }) => digest));
  const packed = new Map(known);
  const recordRows: RecordRow[] = [];
  let bytes = known.values().reduce((sum, record) => sum + packedBytes(record), 0);
  for (const record of records) {
    const published = arrived.get(record.digest);
    if (published === undefined) continue;
    const before = known.get(record.digest);
    const now = before === undefined ? packedRecord(record, published) : { ...before, ...receiptOf(record, published) };
    const more = before === undefined ? packedBytes(now) : 0;
    const isPacked = before !== undefined || (isNew.has(record.digest) && canBePacked(published, bytes + more));
    if (isPacked) {
      packed.set(record.digest, now);
      bytes += more;
    } else recordRows.push(recordRow(record, published, storedOn));
  }
  return {
    packed,
    recordRows,
    hasRecordRows: hasRecordRows || recordRows.length > 0,
  };
}

/** No document has the character NUL. As a row, the database rejects such a record, which is set aside then. */
function canBePacked({ xml }: ReadRecord, bytes: number): boolean {
  return bytes <= MOST_PACKED_BYTES && !xml.includes('\0');
}

function packedRecord(record: FeedRecord, published: ReadRecord): PackedRecord {
  const { id, digest, size } = record;
  const content = Buffer.from(JSON.stringify(record.record));
  return { id, digest, size, ...receiptOf(record, published), content, xml: Buffer.from(published.xml) };
}

function receiptOf(
  { receivedAt }: FeedRecord,
  { remoteAddress, certificateSubject }: ReadRecord,
): Pick<PackedRecord, 'receivedAt' | 'remoteAddress' | 'certificateSubject'> {
  return { receivedAt, remoteAddress: remoteAddress ?? null, certificateSubject: certificateSubject ?? null };
}
