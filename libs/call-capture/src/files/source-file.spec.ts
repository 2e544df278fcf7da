import { writePcap } from '@ringdown/capture/test/write-pcap.js';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { unpackedFileBytes, identifySource, type SourceFile } from './source-file.js';

const LINE = '2026-01-31T12:00:00.000Z\thep\tAAAA\n';

function capture(at: number): Buffer {
  return writePcap(101, [{ at, bytes: Buffer.alloc(40) }]);
}

const NEITHER = 'and neither a packet capture (pcap, pcapng) nor a sender text log';

describe('a file to replay', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ringdown-source-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function identified(name: string, text: string | Buffer): Promise<SourceFile> {
    const file = join(folder, name);
    writeFileSync(file, text);
    return identifySource(file);
  }

  it.each([
    ['a text log', LINE, { holds: 'log', compression: 'none', size: LINE.length }],
    ['a capture', capture(1), { holds: 'capture', compression: 'none', size: 80 }],
    ['a compressed log', gzipSync(LINE), { holds: 'log', compression: 'gzip', size: LINE.length }],
    ['a compressed capture', gzipSync(capture(1)), { holds: 'capture', compression: 'gzip', size: 80 }],
    ['a capture compressed with zstd', zstdCompressSync(capture(1)), { holds: 'capture', compression: 'zstd' }],
  ])('is identified as %s', async (_what, text, expected) => {
    expect(await identified('some', text)).toMatchObject(expected);
  });

  it('is decompressed', async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of unpackedFileBytes(await identified('some.gz', gzipSync(LINE)))) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(LINE);
  });

  it('is decompressed from several frames of zstd', async () => {
    const noise = randomBytes(200_000);
    const skipped = Buffer.from('502a4d1804000000deadbeef', 'hex');
    const frames = Buffer.concat([skipped, zstdCompressSync(LINE), zstdCompressSync(noise), zstdCompressSync(LINE)]);
    const source = { file: join(folder, 'some.zst'), compression: 'zstd' } as const;
    writeFileSync(source.file, frames);
    const chunks: Buffer[] = [];
    for await (const chunk of unpackedFileBytes(source)) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(Buffer.concat([Buffer.from(LINE), noise, Buffer.from(LINE)]))).toBe(true);
  });

  it.each([
    ['empty', Buffer.alloc(0), 'the file is empty'],
    ['empty when unpacked', gzipSync(''), 'the file is empty'],
    ['a program', Buffer.from('\u007FELF\0\0\0'), `the file is a program (ELF), ${NEITHER}`],
    ['a PDF', Buffer.from('%PDF-1.7\n%\u00E2\n'), `the file is a PDF document, ${NEITHER}`],
    ['plain text', 'These are words.\n', `the file is plain text, ${NEITHER}`],
    ['plain text in gzip', gzipSync('These are words.\n'), `the file is plain text (in gzip), ${NEITHER}`],
    ['a page', '<!DOCTYPE html><html>', `the file is an HTML document, ${NEITHER}`],
    ['three bytes', Buffer.from([0xd4, 0xc3, 0xb2]), `the file is of an unknown format, ${NEITHER}`],
    ['compressed twice', gzipSync(gzipSync(LINE)), 'the file is compressed twice with gzip; unpack it first: gzip -d'],
    ['noise', Buffer.from([1, 2, 3, 4, 5, 6]), `the file is of an unknown format, ${NEITHER}`],
    [
      'compressed with xz',
      Buffer.from('fd377a585a0000', 'hex'),
      'the file is compressed with xz; unpack it first: xz -d',
    ],
    [
      'compressed with lz4',
      Buffer.from('04224d186440', 'hex'),
      'the file is compressed with lz4; unpack it first: lz4 -d',
    ],
    ['damaged (zstd)', zstdCompressSync(LINE.repeat(9)).fill(0xff, 8, 20), 'the file is damaged (zstd)'],
    ['truncated (zstd)', zstdCompressSync(LINE.repeat(9)).subarray(0, 20), 'the file is truncated (gzip or zstd)'],
    ['damaged', gzipSync(LINE).fill(0xff, 10, 20), 'the file is damaged (gzip)'],
    ['truncated', gzipSync(LINE).subarray(0, 12), 'the file is truncated (gzip or zstd)'],
  ])('is rejected when it is %s', async (_how, bytes: string | Buffer, reason) => {
    await expect(identified('some', bytes)).rejects.toThrow(reason);
  });

  it.each([
    ['a folder', '.', 'this is a folder, not a file'],
    ['not there', 'absent', 'file not found'],
    ['not a regular file', '/dev/null', 'this is not a regular file'],
  ])('is rejected when it is %s', async (_what, name, reason) => {
    await expect(identifySource(name === '/dev/null' ? name : join(folder, name))).rejects.toThrow(reason);
  });
});
