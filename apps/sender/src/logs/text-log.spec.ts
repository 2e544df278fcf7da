import { eventually } from '@ringdown/testing';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextLog, type TextLogOptions } from './text-log.js';

describe('a text log', () => {
  let folder: string;
  let today: string;
  const problems: string[] = [];

  function open(more: Partial<TextLogOptions> = {}): TextLog {
    const now = (): Date => new Date(`${today}T12:00:00Z`);
    return new TextLog({ folder, name: 'input', now, onProblem: (message) => problems.push(message), ...more });
  }

  function files(): Record<string, string> {
    return Object.fromEntries(
      readdirSync(folder)
        .sort()
        .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
    );
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-log-'));
    today = '2026-01-31';
    problems.length = 0;
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('begins a new file each day', async () => {
    const log = open();
    log.write('hep', 'one');
    today = '2026-02-01';
    log.write('hep', 'two');
    await log.close();
    expect(files()).toEqual({
      'input-2026-01-31.log': '2026-01-31T12:00:00.000Z\thep\tone\n',
      'input-2026-02-01.log': '2026-02-01T12:00:00.000Z\thep\ttwo\n',
    });
  });

  it('loses nothing when the clock jumps, forth and back', async () => {
    const log = open();
    for (const day of ['2026-01-31', '2036-05-01', '1970-01-01', '2026-01-31']) {
      today = day;
      log.write('hep', day);
    }
    await log.close();
    expect(Object.keys(files())).toEqual(['input-1970-01-01.log', 'input-2026-01-31.log', 'input-2036-05-01.log']);
    expect(files()['input-2026-01-31.log']?.match(/hep\t2026-01-31\n/g)).toHaveLength(2);
  });

  it('begins a new file when one is full', async () => {
    const log = open({ maxBytes: 70 });
    for (const word of ['one', 'two', 'three']) log.write('hep', word);
    await log.close();
    expect(Object.keys(files())).toEqual(['input-2026-01-31.1.log', 'input-2026-01-31.log']);
    expect(files()['input-2026-01-31.1.log']).toContain('three');
  });

  it('goes on where it was after a restart', async () => {
    for (const word of ['one', 'two', 'three']) {
      const log = open({ maxBytes: 70 });
      log.write('hep', word);
      await log.close();
    }
    expect(Object.values(files()).map((text) => text.split('\n').length - 1)).toEqual([1, 2]);
  });

  it('keeps old files, unless it is told how long', async () => {
    const logs = ['input-2026-01-20.log', 'input-2026-01-29.2.log', 'input-2026-01-30.log'];
    for (const name of [...logs, 'output-2020-01-01.log', 'notes.log']) writeFileSync(join(folder, name), 'x');
    const keeping = open();
    keeping.write('hep');
    await keeping.close();
    expect(Object.keys(files())).toHaveLength(6);
    const deleting = open({ keepDays: 2 });
    deleting.write('hep');
    await deleting.close();
    const kept = ['input-2026-01-29.2.log', 'input-2026-01-30.log', 'input-2026-01-31.log'];
    expect(Object.keys(files())).toEqual([...kept, 'notes.log', 'output-2020-01-01.log']);
  });

  it.each([
    ['jumps ahead', '2036-05-01'],
    ['jumps back', '1970-01-01'],
  ])('keeps the days that it should when the clock %s', async (_how, wrongDay) => {
    const log = open({ keepDays: 2 });
    for (const day of ['2026-01-28', '2026-01-29', '2026-01-30', '2026-01-31', wrongDay, '2026-02-01']) {
      today = day;
      log.write('hep', day);
      await eventually('the line', () => readdirSync(folder).includes(`input-${day}.log`));
    }
    await log.close();
    const kept = ['2026-01-30', '2026-01-31', '2026-02-01'].map((day) => `input-${day}.log`);
    expect(Object.keys(files())).toEqual(expect.arrayContaining(kept));
    expect(Object.keys(files())).not.toContain('input-2026-01-28.log');
  });

  it('takes a day without a line for none: what was said last is kept', async () => {
    writeFileSync(join(folder, 'input-2025-06-01.log'), 'x');
    writeFileSync(join(folder, 'input-2025-06-02.log'), 'x');
    const log = open({ keepDays: 1 });
    log.write('hep', 'one');
    await log.close();
    expect(Object.keys(files())).toEqual(['input-2025-06-02.log', 'input-2026-01-31.log']);
  });

  it('says that it cannot be written, and goes on', async () => {
    const log = open();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder was');
    log.write('hep', 'lost');
    expect(problems).toEqual([expect.stringContaining('the folder of logs cannot be used: ENOTDIR')]);
    expect(log.leftOut).toBe(1);
    rmSync(folder);
    mkdirSync(folder);
    log.write('hep', 'kept');
    await log.close();
    expect(Object.values(files())).toEqual([expect.stringContaining('kept')]);
  });
});
