import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileLock } from './file-lock.js';

/** Locks a file as another program does. */
const HOLD = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  process.stdout.write('locked');
  setInterval(() => database.isOpen, 1000);
`;

describe('the lock of a file', () => {
  let folder: string;
  const file = (): string => join(folder, 'running.lock');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-lock-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is held by one, until it is released', () => {
    const first = new FileLock(file());
    expect([first.isHeld(), first.acquire(), first.isHeld()]).toEqual([false, true, true]);
    const second = new FileLock(file());
    expect([second.isHeld(), second.acquire(), first.isHeld()]).toEqual([true, false, true]);
    first.release();
    expect([second.isHeld(), second.acquire()]).toEqual([false, true]);
    second.release();
  });

  it('is held by another process until that is killed, which leaves nothing but an empty file', async () => {
    const holder = spawn(process.execPath, ['--eval', HOLD, file()], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    const lock = new FileLock(file());
    expect([lock.isHeld(), lock.acquire()]).toEqual([true, false]);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect([lock.isHeld(), lock.acquire()]).toEqual([false, true]);
    lock.release();
    expect([readdirSync(folder), statSync(file()).size]).toEqual([['running.lock'], 0]);
  });

  it('tells why it cannot be acquired', () => {
    expect(() => new FileLock(join(folder, 'none', 'running.lock')).acquire()).toThrow('unable to open database file');
  });
});
