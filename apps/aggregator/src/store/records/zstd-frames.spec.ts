import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ZstdFrames } from './zstd-frames.js';

const DICTIONARY = Buffer.from('<Diagnostics Version="1.0"><ConnectionInfo><CallId>');
const MOST_BYTES = 100_000;

describe('frames of zstd with a context that is kept', () => {
  const frames = new ZstdFrames({ level: 3, mostBytes: MOST_BYTES, dictionary: DICTIONARY });
  const values = ['', 'a', `${DICTIONARY.toString()}c1`, 'x'.repeat(MOST_BYTES), '<x>ä</x>'.repeat(5_000)].map((text) =>
    Buffer.from(text),
  );

  it('are unpacked as they were packed, each alone and in any order', () => {
    const packed = values.map((value) => frames.pack(value));
    expect(packed.toReversed().map((frame) => frames.unpack(frame))).toEqual(values.toReversed());
  });

  it('are those of a context for each value, with a checksum', () => {
    const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };
    for (const value of values) {
      const frame = frames.pack(value);
      expect(frame).toEqual(zstdCompressSync(value, { params, dictionary: DICTIONARY }));
      expect(zstdDecompressSync(frame, { dictionary: DICTIONARY })).toEqual(value);
    }
  });

  const frame = frames.pack(Buffer.from('a call'.repeat(100)));
  it.each([
    ['is not complete', 'unexpected end of file', frame.subarray(0, -1)],
    ['has only its head', 'unexpected end of file', frame.subarray(0, 5)],
    ['is damaged', 'checksum', Buffer.concat([frame.subarray(0, -1), Buffer.of((frame.at(-1) ?? 0) ^ 1)])],
    ['has more than a value can have', 'larger than 100000', frames.pack(Buffer.alloc(MOST_BYTES + 1))],
  ])('are rejected when one %s, and the next is read as before', (_, reason, bad) => {
    expect(() => frames.unpack(bad)).toThrow(reason);
    expect(frames.unpack(frame).toString()).toBe('a call'.repeat(100));
  });
});
