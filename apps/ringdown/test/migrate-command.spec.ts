import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch } from '@ringdown/testing/launched-system';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { RunningFile } from '../src/running-system.js';

const program = programFile('ringdown', 'migrate');

function startMigrate(
  dataDir: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, ...args], {
    env: { ...programEnvironment(), ...settings, DATA_DIR: dataDir },
  });
}

/** Runs like `npm run migrate`. */
async function migrate(
  dataDir: string,
  args: readonly string[] = [],
  settings: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const child = startMigrate(dataDir, args, settings);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

describe('npm run migrate', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ringdown-migrate-'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  it('rejects a data folder without a database, and creates none', async () => {
    expect(await migrate(data, ['--dry-run'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `migrate: ${data} (DATA_DIR) has no database yet, and DATABASE_URL is not set\n`,
    });
    expect(readdirSync(data)).toEqual([]);
  });

  it('does not touch the database of a running system', async () => {
    mkdirSync(join(data, 'database'));
    const file = new RunningFile(data);
    expect(file.claim()).toBeUndefined();
    file.announce({ addresses: [], inner: 'http://127.0.0.1:9464' });
    expect(await migrate(data)).toEqual({
      code: 1,
      stdout: '',
      stderr: `migrate: a system runs in ${data} (DATA_DIR): stop it first (npm stop)\n`,
    });
    expect(readdirSync(join(data, 'database'))).toEqual([]);
  });

  it('keeps every other process out of the data folder, also on a dry run', async () => {
    mkdirSync(join(data, 'database'));
    const file = new RunningFile(data);
    const first = startMigrate(data, ['--dry-run']);
    const ended = once(first, 'exit');
    first.stdout.resume();
    try {
      await eventually('the claim', () => file.read()?.pid === first.pid);
      // It goes on when the others have been refused.
      first.kill('SIGSTOP');
      const system = launch({ ...(await freePorts()), DATA_DIR: data });
      expect(await system.ended).toBe(1);
      expect(system.stderr()).toBe(`ringdown: the data folder ${data} is in use by process ${first.pid}\n`);
      expect(await migrate(data)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${data} is in use by process ${first.pid}`),
      });
    } finally {
      first.kill('SIGCONT');
    }
    expect(await ended).toEqual([0, null]);
    expect(file.readUnchecked()).toBeUndefined();
  });

  it('gives the embedded database the memory that is set', async () => {
    mkdirSync(join(data, 'database'));
    expect(await migrate(data, [], { DATABASE_MEMORY_MB: '1' })).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^migrate: .*DATABASE_MEMORY_MB.*\n$/),
    });
  });

  it('lists what would run on the embedded database, runs it, and then has nothing to do', async () => {
    mkdirSync(join(data, 'database'));
    const planned = expect.stringMatching(
      /^The database has version 0, this program needs \d+: .*Nothing was changed\.\n$/s,
    );
    expect(await migrate(data, ['--dry-run'])).toEqual({ code: 0, stdout: planned, stderr: '' });
    const done = expect.stringMatching(/The database has version \d+\.\n$/);
    const copied = expect.stringMatching(
      /^migrate: upgrading the data from \S+ to \S+: a copy is kept in .*\nmigrate: .* files copied in .*\n$/,
    );
    expect(await migrate(data)).toEqual({ code: 0, stdout: done, stderr: copied });
    const nothing = expect.stringContaining('no migration would run');
    expect(await migrate(data, ['--dry-run'])).toEqual({ code: 0, stdout: nothing, stderr: '' });
  });
});
