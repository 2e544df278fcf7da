import type { Call } from '../../calls/call.js';
import { CALL_DICTIONARY } from './call-dictionary.js';
import { ZstdFrames } from './zstd-frames.js';

/** The first byte of a sealed call, beside the form of packed records that are not sealed (packed-records.ts). */
export const SEALED = 1;
const MOST_BYTES = 1_048_576;
/** Level 3 takes a sixth less time and a fifth more room; levels above save 2 % each. */
const frames = new ZstdFrames({ level: 4, mostBytes: MOST_BYTES, dictionary: CALL_DICTIONARY });
const LENGTH_BYTES = 4;

/** Both parts of a sealed call. */
interface Parts {
  /** As JSON. */
  readonly call: Buffer;
  /** As packRecords has written them. */
  readonly records: Buffer;
}

/**
 * A call and its packed records as one value, compressed together: most of what is in the call is in its records. Undefined if it is too
 * large: then it stays as it is.
 */
export function sealCall(call: string, records: Buffer): Buffer | undefined {
  const length = Buffer.alloc(LENGTH_BYTES);
  const bytes = Buffer.from(call);
  length.writeUInt32LE(bytes.length);
  const all = Buffer.concat([length, bytes, records]);
  if (all.length > MOST_BYTES) return undefined;
  return Buffer.concat([Buffer.of(SEALED), frames.pack(all)]);
}

export function isSealed(stored: Buffer): boolean {
  return stored[0] === SEALED;
}

/** The packed records of a sealed call. Throws when it is damaged. */
export function sealedRecords(sealed: Buffer): Buffer {
  return partsOf(sealed).records;
}

/** Throws when it is damaged. */
export function sealedCall(sealed: Buffer): Call {
  return JSON.parse(partsOf(sealed).call.toString()) as Call; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the JSON of one, compared with its checksum when it was unpacked
}

function partsOf(sealed: Buffer): Parts {
  if (!isSealed(sealed)) throw new Error(`a call is stored in the unknown form ${sealed[0]}`);
  const all = frames.unpack(sealed.subarray(1));
  const end = LENGTH_BYTES + all.readUInt32LE();
  return { call: all.subarray(LENGTH_BYTES, end), records: all.subarray(end) };
}
