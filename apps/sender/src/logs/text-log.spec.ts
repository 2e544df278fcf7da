import { eventually } from '@ringdown/testing';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFolderError } from './log-files.js';
import { DAY_MS } from './log-retention.js';
import { TextLog, type TextLogOptions } from './text-log.js';

describe('a text log', () => {
  let folder: string;
  let today: string;
  /** Of the clock that never jumps, milliseconds. */
  let elapsed: number;
  const problems: string[] = [];

  function open(more: Partial<TextLogOptions> = {}): TextLog {
    const now = (): Date => new Date(`${today}T12:00:00Z`);
    return new TextLog({
      folder,
      name: 'input',
      now,
      elapsed: () => elapsed,
      onProblem: (message) => problems.push(message),
      ...more,
    });
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
    elapsed = 0;
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

  function writeFiles(...names: readonly string[]): void {
    for (const name of names) writeFileSync(join(folder, name), 'x');
  }

  it('keeps old files, unless it is told how long', () => {
    writeFiles(
      'input-2026-01-20.log',
      'input-2026-01-29.2.log',
      'input-2026-01-30.log',
      'output-2020-01-01.log',
      'notes',
    );
    open();
    expect(Object.keys(files())).toHaveLength(5);
    open({ keepDays: 2 });
    expect(Object.keys(files())).toEqual([
      'input-2026-01-29.2.log',
      'input-2026-01-30.log',
      'notes',
      'output-2020-01-01.log',
    ]);
  });

  it('deletes what is older than a day at the start, also when nothing newer is there', () => {
    writeFiles('input-2026-01-29.log');
    open({ keepDays: 1 });
    expect(Object.keys(files())).toEqual([]);
  });

  it('deletes at midnight, also when nothing is said', () => {
    writeFiles('input-2026-01-30.log', 'input-2026-01-31.log');
    const log = open({ keepDays: 1 });
    expect(Object.keys(files())).toHaveLength(2);
    [today, elapsed] = ['2026-02-01', DAY_MS];
    log.sweep();
    expect(Object.keys(files())).toEqual(['input-2026-01-31.log']);
  });

  it.each([
    ['jumps ahead', '2036-05-01'],
    ['jumps back', '1970-01-01'],
  ])('deletes nothing when the clock %s and is set right again', (_how, wrongDay) => {
    const log = open({ keepDays: 2 });
    const kept = ['input-1970-01-01.log', 'input-2026-01-30.log', 'input-2026-01-31.log', 'input-2036-05-01.log'];
    writeFiles(...kept);
    for (const day of [wrongDay, wrongDay, '2026-01-31', '2026-01-31']) {
      today = day;
      elapsed += 3_000_000;
      log.sweep();
    }
    expect(Object.keys(files())).toEqual(kept);
  });

  it('believes a clock that was set once a day has passed by it', () => {
    const log = open({ keepDays: 2 });
    writeFiles('input-2026-01-31.log');
    today = '2026-03-01';
    log.sweep();
    elapsed = DAY_MS;
    today = '2026-03-02';
    log.sweep();
    expect(files()).toEqual({});
  });

  it.each(['a file', '/proc/nowhere', '/proc/nowhere/below'])('refuses %s as a folder at once', (given) => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    const wrong = given === 'a file' ? file : given;
    expect(() => open({ folder: wrong })).toThrow(LogFolderError);
    expect(() => open({ folder: wrong })).toThrow(`cannot write logs in ${wrong}: `);
  });

  it('refuses a file that it may not go on with, and makes folders in folders', () => {
    mkdirSync(join(folder, 'input-2026-01-31.log'));
    expect(() => open()).toThrow('EISDIR');
    open({ folder: join(folder, 'one/two') });
    expect(readdirSync(join(folder, 'one'))).toEqual(['two']);
  });

  it('begins anew when somebody deletes its folder', async () => {
    const log = open();
    log.write('hep', 'deleted');
    await eventually('the line', () => Object.values(files())[0]?.includes('deleted'));
    rmSync(folder, { recursive: true });
    log.sweep();
    expect(problems).toEqual([expect.stringContaining('input-2026-01-31.log was deleted and is created again')]);
    log.write('hep', 'kept');
    await log.close();
    expect(files()).toEqual({ 'input-2026-01-31.log': '2026-01-31T12:00:00.000Z\thep\tkept\n' });
  });

  it('goes on with a file that could not be written for a while', async () => {
    const log = open();
    const file = join(folder, 'input-2026-01-31.log');
    mkdirSync(file);
    log.write('hep', 'lost');
    await eventually('the complaint', () => problems.length > 0);
    log.write('hep', 'also lost');
    expect(log.leftOut).toBe(1);
    rmSync(file, { recursive: true });
    elapsed = 1_000;
    log.write('hep', 'kept');
    await log.close();
    expect(files()).toEqual({ 'input-2026-01-31.log': '\n2026-01-31T12:00:00.000Z\thep\tkept\n' });
  });

  it('says that it cannot be written, and goes on', async () => {
    const log = open();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder was');
    log.write('hep', 'lost');
    expect(problems).toEqual([expect.stringContaining('the log folder cannot be used: ENOTDIR')]);
    expect(log.leftOut).toBe(1);
    rmSync(folder);
    mkdirSync(folder);
    log.write('hep', 'kept');
    await log.close();
    expect(Object.values(files())).toEqual([expect.stringContaining('kept')]);
  });
});
