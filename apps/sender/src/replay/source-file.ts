import { isCapture } from '@ringdown/capture';
import { codeOf, reasonOf } from '@ringdown/errors';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A file to replay, with its kind. */
export interface SourceFile {
  readonly file: string;
  readonly holds: 'capture' | 'log';
  readonly isCompressed: boolean;
  /** Size of the contents, bytes; for compressed files the size stored in them. */
  readonly size: number;
}

/** The file cannot be read, or not further. The message is printed after its name and a colon. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

const GZIP_MARK = '1f8b';
/** First bytes, in hexadecimal digits, of formats that must be unpacked before. */
const OTHER_MARKS: readonly (readonly [mark: string, name: string])[] = [
  ['28b52ffd', 'zstd'],
  ['fd377a585a00', 'xz'],
  ['425a68', 'bzip2'],
  ['504b0304', 'zip'],
];
/** Enough to distinguish text from binary data. */
const BEGINNING = 4_096;

/** Identifies the kind of a file. Throws {@link SourceError} if it cannot be replayed. */
export async function identifySource(file: string): Promise<SourceFile> {
  const size = await sizeOf(file);
  const mark = (await beginningOf(rawBytes(file))).toString('hex');
  const isCompressed = mark.startsWith(GZIP_MARK);
  const beginning = await beginningOf(bytesOf({ file, isCompressed }));
  if (beginning.length === 0) throw new SourceError('the file is empty');
  const other = OTHER_MARKS.find(([begin]) => mark.startsWith(begin))?.[1];
  if (other !== undefined) throw new SourceError(`the file is compressed with ${other}; unpack it first`);
  const holds = isCapture(beginning) ? 'capture' : 'log';
  if (holds === 'log' && beginning.includes(0)) {
    throw new SourceError('the file is neither a packet capture (pcap, pcapng) nor a sender text log');
  }
  return { file, holds, isCompressed, size: isCompressed ? await sizeInside(file, size) : size };
}

/** The bytes in a file, unpacked. Throws {@link SourceError}. */
export function bytesOf({ file, isCompressed }: Pick<SourceFile, 'file' | 'isCompressed'>): AsyncGenerator<Buffer> {
  return isCompressed ? unpackedBytes(file) : rawBytes(file);
}

async function* unpackedBytes(file: string): AsyncGenerator<Buffer> {
  const unpacked = createGunzip();
  // Every error is passed to the reader of the unpacked bytes.
  pipeline(createReadStream(file), unpacked, () => undefined);
  yield* chunksOf(unpacked);
}

async function* rawBytes(file: string): AsyncGenerator<Buffer> {
  yield* chunksOf(createReadStream(file));
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (error) {
    throw new SourceError(describeError(error), { cause: error });
  }
}

async function beginningOf(bytes: AsyncGenerator<Buffer>): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    beginning = Buffer.concat([beginning, chunk]);
    if (beginning.length >= BEGINNING) break;
  }
  return beginning.subarray(0, BEGINNING);
}

async function sizeOf(file: string): Promise<number> {
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
  Z_BUF_ERROR: 'the file is truncated (gzip)',
  Z_DATA_ERROR: 'the file is damaged (gzip)',
};

function describeError(error: unknown): string {
  return KNOWN_ERRORS[codeOf(error) ?? ''] ?? reasonOf(error);
}
