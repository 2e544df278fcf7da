import { jest } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningFile } from './running-system.js';

/** Above the largest that Linux gives (PID_MAX_LIMIT). */
const ENDED_PID = 4_194_305;

describe('the claim of a data folder', () => {
  let folder: string;
  const file = (): string => join(folder, 'running.json');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-running-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  function leaveStaleFile(): void {
    writeFileSync(file(), JSON.stringify({ pid: ENDED_PID, mark: 'ended', since: '', addresses: [] }));
  }

  /** Something that another process does just when a claim looks for the ended process, for the first to third time. */
  function whenLookedFor(time: number, act: () => void): void {
    const kill = process.kill.bind(process);
    let times = 0;
    jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      if (pid === ENDED_PID && ++times === time) act();
      return kill(pid, signal);
    });
  }

  it('succeeds once, and again after a release', () => {
    expect(new RunningFile(folder).claim()).toBeUndefined();
    expect(new RunningFile(folder).claim()).toMatchObject({ pid: process.pid });
    new RunningFile(folder).release();
    expect(new RunningFile(folder).claim()).toBeUndefined();
  });

  it.each([
    ['of a process that has ended', (): void => leaveStaleFile()],
    ['that a full disk has truncated', (): void => writeFileSync(file(), '')],
  ])('replaces a file %s, and leaves nothing else behind', (_which, leave) => {
    leave();
    expect(new RunningFile(folder).claim()).toBeUndefined();
    expect(new RunningFile(folder).read()).toMatchObject({ pid: process.pid });
    expect(readdirSync(folder)).toEqual(['running.json']);
  });

  it.each([
    ['is found', 1],
    ['is to be removed', 2],
    ['is removed', 3],
  ])('is not taken from a process that is faster when the same stale file %s', (_moment, time) => {
    leaveStaleFile();
    let claimed = '';
    whenLookedFor(time, () => {
      expect(new RunningFile(folder).claim()).toBeUndefined();
      claimed = readFileSync(file(), 'utf8');
    });
    expect(new RunningFile(folder).claim()).toMatchObject({ pid: process.pid });
    expect(claimed).not.toBe('');
    expect(readFileSync(file(), 'utf8')).toBe(claimed);
    expect(readdirSync(folder)).toEqual(['running.json']);
  });

  it('succeeds where another process has removed the same stale file first', () => {
    leaveStaleFile();
    whenLookedFor(2, () => rmSync(file()));
    expect(new RunningFile(folder).claim()).toBeUndefined();
    expect(readdirSync(folder)).toEqual(['running.json']);
  });
});
