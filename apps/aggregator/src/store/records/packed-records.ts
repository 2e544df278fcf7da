import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { documentDigest } from '../../calls/feed-record.js';
import { isSealed, sealedRecords } from './sealed-call.js';

/** One record of a call as it is stored. */
export interface PackedRecord {
  readonly id: string;
  readonly digest: string;
  /** Length of the document in characters. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly remoteAddress: string | null;
  readonly certificateSubject: string | null;
  /** The parsed record as JSON. */
  readonly content: Buffer;
  /** As received. */
  readonly xml: Buffer;
}

/**
 * What the records of one call may have together, in bytes: all of it is written again for each record that is added. A usual call
 * has 7 KB; one with hundreds of reports has the others in rows.
 */
export const MOST_PACKED_BYTES = 131_072;
/** About as much as a head, which has no limit of its own. */
const HEAD_BYTES = 150;

/**
 * The first byte of what is stored tells its form, so that later versions can add others: records as they are, of a call that is too large to be sealed or was
 * stored before (ADR 0112), or a sealed call (ADR 0118).
 */
const PLAIN = 0;
const LENGTH_BYTES = 4;

/** What is known of a record beside its texts, and the bytes of these. */
type Head = readonly [
  id: string,
  /** Null when it is computed again: what can least be compressed. */
  digest: string | null,
  size: number,
  receivedAt: number,
  remoteAddress: string | null,
  certificateSubject: string | null,
  contentBytes: number,
  xmlBytes: number,
];

/** The form, a length, the heads as JSON, and behind them the contents and then the documents, as they are. */
export function packRecords(records: readonly PackedRecord[]): Buffer {
  const heads = Buffer.from(JSON.stringify(records.map(headOf)));
  const begin = Buffer.alloc(1 + LENGTH_BYTES);
  begin.writeUInt8(PLAIN);
  begin.writeUInt32LE(heads.length, 1);
  return Buffer.concat([begin, heads, ...records.map(({ content }) => content), ...records.map(({ xml }) => xml)]);
}

/** Also those of a sealed call. Throws when they are of a version that is newer than this one. */
export function unpackRecords(stored: Buffer): readonly PackedRecord[] {
  const packed = isSealed(stored) ? sealedRecords(stored) : stored;
  if (packed[0] !== PLAIN) throw new Error(`records of a call are stored in the unknown form ${packed[0]}`);
  const unpacked = packed.subarray(1);
  let at = LENGTH_BYTES + unpacked.readUInt32LE();
  const heads = JSON.parse(unpacked.toString('utf8', LENGTH_BYTES, at)) as readonly Head[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- only packRecords writes it
  const next = (bytes: number): Buffer => unpacked.subarray(at, (at += bytes));
  const contents = heads.map(([, , , , , , bytes]) => next(bytes));
  return heads.map(([id, digest, size, receivedAt, remoteAddress, certificateSubject, , bytes], index) => {
    const content = contents[index] ?? Buffer.alloc(0);
    const xml = next(bytes);
    const sender = { remoteAddress, certificateSubject };
    return { id, digest: digest ?? documentDigest(xml), size, receivedAt, ...sender, content, xml };
  });
}

/** Throws when it is damaged. */
export function parsedContent({ content }: Pick<PackedRecord, 'content'>): DiagnosticsRecord {
  return JSON.parse(content.toString()) as DiagnosticsRecord; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the JSON of one, as recordStorage has written it
}

function headOf(record: PackedRecord): Head {
  const { id, size, receivedAt, remoteAddress, certificateSubject, content, xml } = record;
  return [id, null, size, receivedAt, remoteAddress, certificateSubject, content.length, xml.length];
}

/** What it needs of {@link MOST_PACKED_BYTES}. */
export function packedBytes({ content, xml, certificateSubject }: PackedRecord): number {
  return HEAD_BYTES + content.length + xml.length + (certificateSubject?.length ?? 0);
}
