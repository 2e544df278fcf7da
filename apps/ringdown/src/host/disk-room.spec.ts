import { SettingsError } from '@ringdown/settings';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busLimits, limitsFor, type Disk } from './disk-room.js';

const MEBIBYTE = 1_048_576;
const disk = (mebibytes: number, isFirstStart = true): Disk => ({ availableBytes: mebibytes * MEBIBYTE, isFirstStart });

describe('the space for the bus on the disk', () => {
  const warnings: string[] = [];
  const warn = (line: string): void => void warnings.push(line);

  beforeEach(() => void warnings.splice(0));

  it('leaves the limits unchanged without a warning if it is large enough', () => {
    expect(limitsFor(disk(3_100), {}, warn)).toEqual({});
    expect(warnings).toEqual([]);
  });

  it('reduces limits that are not set on a small disk, and reports which setting reserves how much', () => {
    const limits = limitsFor(disk(1_000), {}, warn);
    expect(Number(limits.RECORDS_MAX_BYTES)).toBe(Math.floor((750 - 525.25) * MEBIBYTE * 0.6));
    const all = Object.values(limits).reduce((sum, bytes) => sum + Number(bytes), 0);
    expect(all).toBe((750 - 525.25) * MEBIBYTE);
    expect(warnings).toEqual([
      'the bus may use 750 MiB of the disk of DATA_DIR, three quarters of its free space, but reserves 2317 MiB: ' +
        'RECORDS_MAX_BYTES 1024 MiB, DEAD_LETTERS_MAX_BYTES 256 MiB, STATE_MAX_BYTES 512 MiB, ' +
        'changes of calls, messages of calls, rejected records, failed SIP requests, people and reports of services 525 MiB; ' +
        'reduced to 134 MiB for records, 33 MiB for dead letters and 56 MiB for STATE_MAX_BYTES',
    ]);
  });

  it.each([
    ['the limits of the operator do not fit', disk(1_000), { RECORDS_MAX_BYTES: '2000000000' }],
    ['even reduced limits do not fit', disk(600), {}],
  ])('stops the first start when %s', (_why, small, env) => {
    expect(() => limitsFor(small, env, warn)).toThrow(SettingsError);
    expect(() => limitsFor(small, env, warn)).toThrow(/RECORDS_MAX_BYTES \d+ MiB, DEAD_LETTERS_MAX_BYTES 256 MiB/);
  });

  it('lets an existing bus start on a disk that has become full, with a warning', () => {
    expect(limitsFor(disk(100, false), {}, warn)).toEqual({});
    expect(warnings).toEqual([expect.stringContaining('records are rejected with 503 when the disk is full')]);
  });

  it('calculates limits again when a full disk has truncated the file with the chosen ones', () => {
    const data = mkdtempSync(join(tmpdir(), 'ringdown-room-'));
    try {
      writeFileSync(join(data, 'nats-limits.json'), '{"RECORDS_MAX');
      const small = { RECORDS_MAX_BYTES: '67108864', DEAD_LETTERS_MAX_BYTES: '16777216', STATE_MAX_BYTES: '16777216' };
      expect(busLimits(join(data, 'nats'), small, warn)).toEqual({});
    } finally {
      rmSync(data, { recursive: true });
    }
  });
});
