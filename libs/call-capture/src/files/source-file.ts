import { isCapture } from '@ringdown/capture';
import { nodeErrorCode, errorReason } from '@ringdown/errors';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import { describeFormat, isLog } from './other-formats.js';

/** A file to replay, with its kind. */
export interface SourceFile {
  readonly file: string;
  readonly holds: 'capture' | 'log';
  readonly compression: Compression;
  /** Size of the contents, bytes; for compressed files the size stored in them, if any. */
  readonly size: number;
  /** Instead of the contents of the file: a stream that can be read once, while it is written. */
  readonly input?: AsyncGenerator<Buffer>;
}

export type Compression = 'none' | 'gzip' | 'zstd';

/** The file cannot be read, or not further. The message is printed after its name and a colon. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** First bytes, in hexadecimal digits. */
const MARKS: readonly (readonly [mark: string, compression: Compression])[] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
  // A frame to be skipped, which parallel compressors write first.
  ['502a4d18', 'zstd'],
];
/** Formats that must be unpacked before, and the tool for it: Node reads none of them, and native code is not for us. */
const OTHER_MARKS: readonly (readonly [mark: string, name: string, tool: string])[] = [
  ['fd377a585a00', 'xz', 'xz -d'],
  ['04224d18', 'lz4', 'lz4 -d'],
  ['425a68', 'bzip2', 'bzip2 -d'],
  ['504b0304', 'zip', 'unzip'],
];
/** Bytes. */
const MARK_LENGTH = 6;
/** Each is opened by itself. */
const MAX_ZSTD_FRAMES = 10_000;
const TOO_MANY_FRAMES = `the file has more than ${MAX_ZSTD_FRAMES} zstd frames; unpack it first: zstd -d`;
const NOT_READ = 'and neither a packet capture (pcap, pcapng) nor a sender text log';
/** Enough to distinguish text from binary data. */
const BEGINNING = 4_096;

/** What bytes are that are not a capture, as they are: "plain text", "compressed with xz; unpack it first: xz -d". */
export function describeInput(beginning: Buffer): string {
  if (isLog(beginning)) return 'a sender text log';
  const compression = compressionOf(beginning);
  if (compression !== undefined) return `compressed with ${compression}; unpack it first: ${compression} -d`;
  return otherCompressionOf(beginning) ?? describeFormat(beginning);
}

function compressionOf(beginning: Buffer): Compression | undefined {
  return markedBy(MARKS, beginning)?.[1];
}

/** One that is not read, and what to do about it. */
function otherCompressionOf(beginning: Buffer): string | undefined {
  const other = markedBy(OTHER_MARKS, beginning);
  return other && `compressed with ${other[1]}; unpack it first: ${other[2]}`;
}

function markedBy<T extends readonly [mark: string, ...unknown[]]>(
  marks: readonly T[],
  beginning: Buffer,
): T | undefined {
  const first = beginning.toString('hex', 0, MARK_LENGTH);
  return marks.find(([mark]) => first.startsWith(mark));
}

/** Throws {@link SourceError} if the file is something else. */
export function requireCapture(source: SourceFile): SourceFile {
  if (source.holds === 'log')
    throw new SourceError('the file is a sender text log, not a packet capture (pcap, pcapng)');
  return source;
}

/** Identifies the kind of a file. Throws {@link SourceError} if it cannot be replayed. */
export async function identifySource(file: string): Promise<SourceFile> {
  const size = await sourceFileSize(file);
  const raw = await readBeginning(rawBytes(file));
  const compression = compressionOf(raw) ?? 'none';
  const beginning = await readBeginning(unpackedFileBytes({ file, compression }));
  if (beginning.length === 0) throw new SourceError('the file is empty');
  const other = otherCompressionOf(raw);
  if (other !== undefined) throw new SourceError(`the file is ${other}`);
  const holds = isCapture(beginning) ? 'capture' : 'log';
  if (holds === 'log' && !isLog(beginning)) {
    const packed = compression === 'none' ? '' : ` (in ${compression})`;
    throw new SourceError(`the file is ${describeFormat(beginning)}${packed}, ${NOT_READ}`);
  }
  return { file, holds, compression, size: compression === 'gzip' ? await sizeInside(file, size) : size };
}

/** The bytes in a file, unpacked. Throws {@link SourceError}. */
export function unpackedFileBytes(source: Pick<SourceFile, 'file' | 'compression' | 'input'>): AsyncGenerator<Buffer> {
  const { file, compression, input } = source;
  if (input) return input;
  if (compression === 'none') return rawBytes(file);
  return compression === 'gzip' ? unpackedBytes(file, createGunzip()) : zstdBytes(file);
}

/** Node stops after the first of several frames (RFC 8878, 3.1), which parallel compressors write: the next one begins there. */
async function* zstdBytes(file: string): AsyncGenerator<Buffer> {
  const size = await sourceFileSize(file);
  for (let [at, frames] = [0, 0]; at < size; frames++) {
    if (frames === MAX_ZSTD_FRAMES) throw new SourceError(TOO_MANY_FRAMES);
    const unpacked = createZstdDecompress();
    yield* unpackedBytes(file, unpacked, at);
    at += Math.max(1, unpacked.bytesWritten);
  }
}

async function* unpackedBytes(file: string, unpacked: Gunzip | ZstdDecompress, start = 0): AsyncGenerator<Buffer> {
  // Every error is passed to the reader of the unpacked bytes.
  pipeline(createReadStream(file, { start }), unpacked, () => undefined);
  yield* streamChunks(unpacked);
}

async function* rawBytes(file: string): AsyncGenerator<Buffer> {
  yield* streamChunks(createReadStream(file));
}

/** Throws {@link SourceError}. */
export async function* streamChunks(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (error) {
    throw new SourceError(describeError(error), { cause: error });
  }
}

async function readBeginning(bytes: AsyncGenerator<Buffer>): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    beginning = Buffer.concat([beginning, chunk]);
    if (beginning.length >= BEGINNING) break;
  }
  return beginning.subarray(0, BEGINNING);
}

async function sourceFileSize(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw new SourceError(describeError(error), { cause: error });
  });
  if (found.isDirectory()) throw new SourceError('this is a folder, not a file');
  // The file is read several times: for its kind, its first time, and its contents.
  if (!found.isFile()) throw new SourceError('this is not a regular file; copy its contents into one');
  return found.size;
}

/** The last four bytes of gzip contain the unpacked size (RFC 1952, 2.3.1), little-endian. */
async function sizeInside(file: string, size: number): Promise<number> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return buffer.readUInt32LE();
  } finally {
    await handle.close();
  }
}

const KNOWN_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  EACCES: 'this user has no permission to read the file',
  Z_BUF_ERROR: 'the file is truncated (gzip or zstd)',
  Z_DATA_ERROR: 'the file is damaged (gzip)',
  ZSTD_error_prefix_unknown: 'the file is damaged (zstd)',
  ZSTD_error_corruption_detected: 'the file is damaged (zstd)',
  ZSTD_error_checksum_wrong: 'the file is damaged (zstd)',
};

function describeError(error: unknown): string {
  return KNOWN_ERRORS[nodeErrorCode(error) ?? ''] ?? errorReason(error);
}
