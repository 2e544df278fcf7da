import { mkdtempSync, renameSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FollowedFiles } from './followed-files.js';

const POLL_MS = 10;
const AN_HOUR = 3_600_000;

describe('followed files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-followed-'));
  const file = join(folder, 'file');
  const lines: string[] = [];
  const log = (about: object, message: string): void => void lines.push(`${JSON.stringify(about)} ${message}`);
  const opened: FollowedFiles<string>[] = [];

  beforeEach(() => {
    lines.length = 0;
    writeFileSync(file, 'one');
  });
  afterEach(() => opened.splice(0).forEach((each) => each.close()));
  afterAll(() => rmSync(folder, { recursive: true }));

  function follow(pollMs = POLL_MS): FollowedFiles<string> {
    const read = (): string => {
      const text = readFileSync(file, 'utf8');
      if (text === '') throw new Error('it is empty');
      return text;
    };
    const followed = new FollowedFiles({ files: [file], read, logger: { info: log, error: log }, pollMs });
    opened.push(followed);
    return followed;
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await sleep(POLL_MS);
  }

  it('are read again after a change that comes at once', async () => {
    const values: string[] = [];
    const followed = follow();
    followed.onChange((value) => void values.push(value));
    writeFileSync(file, 'another');
    await until(() => followed.current === 'another');
    expect(values).toEqual(['another']);
  });

  it('are read at once when they may have been read elsewhere', () => {
    const followed = follow(AN_HOUR);
    followed.lookNow();
    expect(lines).toEqual([]);
    writeFileSync(file, 'another');
    followed.lookNow();
    expect(followed.current).toBe('another');
  });

  it('are read again when they are replaced, as links of a container are', async () => {
    const followed = follow();
    writeFileSync(join(folder, 'next'), 'two');
    renameSync(join(folder, 'next'), file);
    await until(() => followed.current !== 'one');
    expect(followed.current).toBe('two');
  });

  it('keep their content while they are invalid or gone', async () => {
    const followed = follow();
    writeFileSync(file, '');
    await until(() => lines.some((line) => line.includes('it is empty')));
    rmSync(file);
    await until(() => lines.some((line) => line.includes('ENOENT')));
    expect(followed.current).toBe('one');
    writeFileSync(file, 'three');
    await until(() => followed.current !== 'one');
    expect(followed.current).toBe('three');
  });

  it('are read again without a further change when reading fails for a moment', async () => {
    let failures = 2;
    const read = (): string => {
      const text = readFileSync(file, 'utf8');
      if (text === 'one' || failures-- === 0) return text;
      throw new Error('EMFILE: too many open files');
    };
    const followed = new FollowedFiles({ files: [file], read, logger: { info: log, error: log }, pollMs: POLL_MS });
    opened.push(followed);
    writeFileSync(file, 'two');
    await until(() => followed.current !== 'one');
    expect(followed.current).toBe('two');
    expect(lines).toEqual([expect.stringContaining('EMFILE'), expect.stringContaining('were read again')]);
  });

  it('log an invalid content once, however often it is read again', async () => {
    let reads = 0;
    const read = (): string => {
      reads++;
      return readFileSync(file, 'utf8');
    };
    const followed = new FollowedFiles({ files: [file], read, logger: { info: log, error: log }, pollMs: POLL_MS });
    opened.push(followed);
    followed.onChange((text) => {
      if (text === '') throw new Error('it is empty');
    });
    writeFileSync(file, '');
    await until(() => reads > 4);
    expect(lines).toEqual([expect.stringContaining('it is empty')]);
    writeFileSync(file, 'three');
    await until(() => followed.current === 'three');
    writeFileSync(file, '');
    const reasons = (): readonly string[] => lines.filter((line) => line.includes('it is empty'));
    await until(() => reasons().length === 2);
    expect(reasons()).toHaveLength(2);
  });

  it('throw the error of reading at the start', () => {
    rmSync(file);
    expect(() => follow()).toThrow('ENOENT: no such file or directory, open');
  });
});
