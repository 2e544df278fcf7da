import { identifySource, type SourceFile } from '@ringdown/call-capture/files';
import { writePcap } from '@ringdown/capture/test/write-pcap.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sortByTime } from './sort-by-time.js';

const LINE = '2026-01-31T12:00:00.000Z\thep\tAAAA\n';

function capture(at: number): Buffer {
  return writePcap(101, [{ at, bytes: Buffer.alloc(40) }]);
}

describe('a file to replay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sorted-'));

  afterAll(() => rmSync(folder, { recursive: true }));

  function identified(name: string, text: string | Buffer): Promise<SourceFile> {
    const file = join(folder, name);
    writeFileSync(file, text);
    return identifySource(file);
  }

  it('is sorted by its first time, and stays after the previous file if it has none', async () => {
    const noon = Date.UTC(2026, 0, 31, 12);
    const given = [
      await identified('later.pcap', capture(noon + 1)),
      await identified('unknown', writePcap(101, [])),
      await identified('noon.log', `hello\n${LINE}`),
      await identified('also at noon.gz', gzipSync(LINE)),
      await identified('earlier.pcap', capture(noon - 1)),
    ];
    const names = (await sortByTime(given)).map(({ file }) => file.slice(folder.length + 1));
    expect(names).toEqual(['earlier.pcap', 'noon.log', 'also at noon.gz', 'later.pcap', 'unknown']);
  });
});
