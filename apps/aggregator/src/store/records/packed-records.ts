import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { RECORD_DICTIONARY } from './record-dictionary.js';

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

/** The first byte of what is stored tells its form, so that later versions can add others. */
const ZSTD_WITH_DICTIONARY = 1;
/** Level 1 takes as long and 2 % more room; level 6 saves a fifth and takes twice as long. */
const PARAMETERS = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };
/** Of a damaged value, not more than this is unpacked: heads and contents of the most records that have room. */
const MOST_UNPACKED_BYTES = 4 * MOST_PACKED_BYTES;
const LENGTH_BYTES = 4;

/** What is known of a record beside its texts, and the bytes of these. */
type Head = readonly [
  id: string,
  digest: string,
  size: number,
  receivedAt: number,
  remoteAddress: string | null,
  certificateSubject: string | null,
  contentBytes: number,
  xmlBytes: number,
];

/** A length, the heads as JSON, and behind them the contents and then the documents, as they are. */
export function packRecords(records: readonly PackedRecord[]): Buffer {
  const heads = Buffer.from(JSON.stringify(records.map(headOf)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(heads.length);
  const texts = [...records.map(({ content }) => content), ...records.map(({ xml }) => xml)];
  const options = { params: PARAMETERS, dictionary: RECORD_DICTIONARY };
  const packed = zstdCompressSync(Buffer.concat([length, heads, ...texts]), options);
  return Buffer.concat([Buffer.of(ZSTD_WITH_DICTIONARY), packed]);
}

/** Throws when it is damaged, or of a version that is newer than this one. */
export function unpackRecords(packed: Buffer): readonly PackedRecord[] {
  if (packed[0] !== ZSTD_WITH_DICTIONARY)
    throw new Error(`records of a call are stored in the unknown form ${packed[0]}`);
  const options = { dictionary: RECORD_DICTIONARY, maxOutputLength: MOST_UNPACKED_BYTES };
  const unpacked = zstdDecompressSync(packed.subarray(1), options);
  let at = LENGTH_BYTES + unpacked.readUInt32LE();
  const heads = JSON.parse(unpacked.toString('utf8', LENGTH_BYTES, at)) as readonly Head[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has a checksum, and only packRecords writes it
  const next = (bytes: number): Buffer => unpacked.subarray(at, (at += bytes));
  const contents = heads.map(([, , , , , , bytes]) => next(bytes));
  return heads.map(([id, digest, size, receivedAt, remoteAddress, certificateSubject, , bytes], index) => {
    const content = contents[index] ?? Buffer.alloc(0);
    return { id, digest, size, receivedAt, remoteAddress, certificateSubject, content, xml: next(bytes) };
  });
}

/** Throws when it is damaged. */
export function parsedContent({ content }: Pick<PackedRecord, 'content'>): DiagnosticsRecord {
  return JSON.parse(content.toString()) as DiagnosticsRecord; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the JSON of one, compared with its checksum when it was unpacked
}

function headOf(record: PackedRecord): Head {
  const { id, digest, size, receivedAt, remoteAddress, certificateSubject, content, xml } = record;
  return [id, digest, size, receivedAt, remoteAddress, certificateSubject, content.length, xml.length];
}

/** What it needs of {@link MOST_PACKED_BYTES}. */
export function packedBytes({ content, xml, certificateSubject }: PackedRecord): number {
  return HEAD_BYTES + content.length + xml.length + (certificateSubject?.length ?? 0);
}
