import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileLock } from './files/file-lock.js';
import { processWords, RunningFile } from './running-system.js';

/** Above the largest that Linux gives (PID_MAX_LIMIT). */
const ENDED_PID = 4_194_305;

describe('the claim of a data folder', () => {
  let folder: string;
  const file = (): string => join(folder, 'running.json');
  const lock = (): FileLock => new FileLock(join(folder, 'running.lock'));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-running-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function leave(pid: number, mark: string): void {
    writeFileSync(file(), JSON.stringify({ pid, mark, since: '', addresses: [] }));
  }

  it('succeeds once, and again after a release', () => {
    const first = new RunningFile(folder);
    expect(first.claim()).toBeUndefined();
    expect(new RunningFile(folder).claim()).toBe(`process ${process.pid}`);
    first.release();
    const second = new RunningFile(folder);
    expect(second.claim()).toBeUndefined();
    second.release();
  });

  it.each([
    ['of a process that has ended', (): void => leave(ENDED_PID, 'ended')],
    ['of a process whose id another one has now', (): void => leave(process.pid, 'ended')],
    ['without a mark, of a process whose id another one has now', (): void => leave(process.pid, 'id')],
    ['that a full disk has truncated', (): void => writeFileSync(file(), '')],
  ])('replaces a file %s, and leaves nothing else behind', (_which, leaveIt) => {
    leaveIt();
    const running = new RunningFile(folder);
    expect([running.read(), running.claim()]).toEqual([undefined, undefined]);
    expect(running.read()).toMatchObject({ pid: process.pid });
    expect(readdirSync(folder)).toEqual(['running.json', 'running.lock']);
    running.release();
    expect(readdirSync(folder)).toEqual(['running.lock']);
  });

  it('fails where the process that has the folder cannot be seen, as that of another container', () => {
    leave(ENDED_PID, 'of the other machine');
    const other = lock();
    other.acquire();
    const before = readFileSync(file(), 'utf8');
    const words = `process ${ENDED_PID} of another container or machine`;
    expect(processWords(new RunningFile(folder).read())).toBe(words);
    expect(new RunningFile(folder).claim()).toBe(words);
    expect(readFileSync(file(), 'utf8')).toBe(before);
    other.release();
    expect(new RunningFile(folder).read()).toBeUndefined();
  });

  it('fails while another process claims it', () => {
    const other = lock();
    other.acquire();
    expect(new RunningFile(folder).claim()).toBe('another process');
    other.release();
  });

  it('fails where an earlier version runs, which has no lock', () => {
    const first = new RunningFile(folder);
    first.claim();
    const known = readFileSync(file(), 'utf8');
    first.release();
    writeFileSync(file(), known);
    expect(new RunningFile(folder).claim()).toBe(`process ${process.pid}`);
  });
});
