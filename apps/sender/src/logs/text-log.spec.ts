import { eventually } from '@ringdown/testing/eventually';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFolderError } from './log-files.js';
import { DAY_MS } from './log-retention.js';
import { TextLog, type TextLogOptions } from './text-log.js';

describe('TextLog', () => {
  let folder: string;
  let today: string;
  /** Of the monotonic clock, milliseconds. */
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

  it('loses no lines when the clock jumps forward and back', async () => {
    const log = open();
    for (const day of ['2026-01-31', '2036-05-01', '1970-01-01', '2026-01-31']) {
      today = day;
      log.write('hep', day);
    }
    await log.close();
    expect(Object.keys(files())).toEqual(['input-1970-01-01.log', 'input-2026-01-31.log', 'input-2036-05-01.log']);
    expect(files()['input-2026-01-31.log']?.match(/hep\t2026-01-31\n/g)).toHaveLength(2);
  });

  it('begins a new file when the current one is full', async () => {
    const log = open({ maxBytes: 70 });
    for (const word of ['one', 'two', 'three']) log.write('hep', word);
    await log.close();
    expect(Object.keys(files())).toEqual(['input-2026-01-31.1.log', 'input-2026-01-31.log']);
    expect(files()['input-2026-01-31.1.log']).toContain('three');
  });

  it('appends to the last file after a restart', async () => {
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

  it('keeps old files without keepDays, and deletes them with it', () => {
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

  it('deletes files older than a day at the start, even without newer ones', () => {
    writeFiles('input-2026-01-29.log');
    open({ keepDays: 1 });
    expect(Object.keys(files())).toEqual([]);
  });

  it('deletes old files at midnight, even if nothing is written', () => {
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
  ])('deletes nothing when the clock %s and is corrected', (_how, wrongDay) => {
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

  it('trusts a clock that was set after it has run for a day', () => {
    const log = open({ keepDays: 2 });
    writeFiles('input-2026-01-31.log');
    today = '2026-03-01';
    log.sweep();
    elapsed = DAY_MS;
    today = '2026-03-02';
    log.sweep();
    expect(files()).toEqual({});
  });

  it.each(['a file', '/proc/nowhere', '/proc/nowhere/below'])('rejects %s as a folder at the start', (given) => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    const wrong = given === 'a file' ? file : given;
    expect(() => open({ folder: wrong })).toThrow(LogFolderError);
    expect(() => open({ folder: wrong })).toThrow(`cannot write logs in ${wrong}: `);
  });

  it('rejects a file that it cannot append to, and creates nested folders', () => {
    mkdirSync(join(folder, 'input-2026-01-31.log'));
    expect(() => open()).toThrow('EISDIR');
    open({ folder: join(folder, 'one/two') });
    expect(readdirSync(join(folder, 'one'))).toEqual(['two']);
  });

  it('creates its file again when the folder was deleted', async () => {
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

  it('continues with a file after write errors', async () => {
    const log = open();
    const file = join(folder, 'input-2026-01-31.log');
    mkdirSync(file);
    log.write('hep', 'lost');
    await eventually('the complaint', () => problems.length > 0);
    log.write('hep', 'also lost');
    expect(log.droppedLines).toBe(1);
    rmSync(file, { recursive: true });
    elapsed = 1_000;
    log.write('hep', 'kept');
    await log.close();
    expect(files()).toEqual({ 'input-2026-01-31.log': '\n2026-01-31T12:00:00.000Z\thep\tkept\n' });
  });

  it('reports an unusable folder, and continues when it is usable', async () => {
    const log = open();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder was');
    log.write('hep', 'lost');
    expect(problems).toEqual([expect.stringContaining('the log folder cannot be used: ENOTDIR')]);
    expect(log.droppedLines).toBe(1);
    rmSync(folder);
    mkdirSync(folder);
    log.write('hep', 'kept');
    await log.close();
    expect(Object.values(files())).toEqual([expect.stringContaining('kept')]);
  });
});
