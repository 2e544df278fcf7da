import { SmallDisk } from '@ringdown/testing/small-disk';
import { Started } from '@ringdown/testing/started';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { storeCapture } from '../../src/captures/capture-file.js';

describe('a capture for which the disk has no room', () => {
  const started = new Started();

  afterEach(() => started.stopAll());

  it('is rejected with 507 and leaves no file', async () => {
    const disk = started.add(SmallDisk.mount(1));
    const body = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(65_536)));
    const stored = storeCapture(body, join(disk.folder, 'capture'), 10_000_000);
    await expect(stored).rejects.toMatchObject({ row: { status: 507, code: 'no-room-for-capture' } });
    expect(readdirSync(disk.folder)).toEqual([]);
  });
});
