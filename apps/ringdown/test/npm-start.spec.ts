import { nodeErrorCode } from '@ringdown/errors';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programFile } from '@ringdown/testing/program-file';
import { runningProcesses, type RunningProcess } from '@ringdown/testing/running-processes';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** A process with all its descendants, itself first. */
function treeOf(pid: number, all = runningProcesses()): readonly RunningProcess[] {
  const children = all.filter(({ parent }) => parent === pid);
  return [...all.filter((each) => each.pid === pid), ...children.flatMap((child) => treeOf(child.pid, all))];
}

/** Process ids are reused, and processes of the database change their command line. */
function isThere({ pid, since }: RunningProcess): boolean {
  return runningProcesses().some((each) => each.pid === pid && each.since === since);
}

/** Megabytes of a process; what several share is divided among them (proc_pid_smaps(5)). Undefined if it has ended. */
function memoryOf({ pid }: RunningProcess): number | undefined {
  try {
    const [, kilobytes] = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT' || nodeErrorCode(error) === 'ESRCH') return undefined;
    throw error;
  }
}

interface Sample {
  readonly used: number;
  readonly parts: readonly string[];
}

/** What the processes of a tree use at this moment. */
function sampleOf(pid: number): Sample {
  const now = treeOf(pid).flatMap((each) => {
    const memory = memoryOf(each);
    return memory === undefined ? [] : [{ command: each.command.replaceAll('\0', ' '), memory }];
  });
  return {
    used: now.reduce((sum, { memory }) => sum + memory, 0),
    parts: now.map(({ command, memory }) => `${memory.toFixed(1)} MB ${command}`),
  };
}

function isPartOfDatabase({ command }: RunningProcess): boolean {
  return command.startsWith('postgres: ');
}

/** The budget of the whole system (docs/adr/0084). */
const MOST_MEMORY = 300;
/** One sample may fall into the moment of a process that is about to end. */
const SAMPLES = 5;
const SAMPLE_MS = 1_000;
const refusal = 'ringdown: COLLECTOR_CLIENT_CA has no effect without COLLECTOR_HTTPS_PORT';

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-npm-start-'));
  const data = join(folder, 'data');

  let started: readonly RunningProcess[] = [];

  async function startSystem(): Promise<{ readonly npm: ChildProcess; readonly closed: Promise<unknown> }> {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...(await freePorts()) };
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { ...env, INNER_PORT: '0', LISTEN_HOST: '127.0.0.1', DATA_DIR: data },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const closed = once(npm, 'close');
    await eventually('the system', () => output.includes('Ringdown is running'));
    return { npm, closed };
  }

  beforeAll(() => seedDatabase(join(data, 'database')));
  afterEach(() => {
    for (const { pid } of started.filter(isThere)) process.kill(pid, 'SIGKILL');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['npm', 'SIGTERM', 0],
    ['the shell of npm', 'SIGTERM', 1],
    ['npm', 'SIGKILL', 0],
    ['the launcher', 'SIGKILL', 2],
  ] as const)('ends all its processes when %s gets %s', async (_who, signal, step) => {
    const { npm, closed } = await startSystem();
    started = treeOf(npm.pid ?? 0);
    // npm, sh, the launcher, the system, its bus and its database.
    expect(started.filter((each) => !isPartOfDatabase(each)).map(({ command }) => command)).toHaveLength(6);
    process.kill(started[step]?.pid ?? 0, signal);
    await eventually('the end of them all', () => !started.some(isThere));
    await closed;
    expect(readdirSync(data)).not.toContain('running.json');
  });

  it(`has at most ${MOST_MEMORY} MB for all its processes when it has nothing to do`, async () => {
    const { npm, closed } = await startSystem();
    started = treeOf(npm.pid ?? 0);
    const samples: Sample[] = [];
    const median = (): Sample | undefined =>
      samples
        .slice(-SAMPLES)
        .toSorted((a, b) => a.used - b.used)
        .at(SAMPLES >> 1);
    const isWithin = async (): Promise<boolean> => {
      await sleep(SAMPLE_MS);
      samples.push(sampleOf(npm.pid ?? 0));
      return samples.length >= SAMPLES && (median()?.used ?? 0) <= MOST_MEMORY;
    };
    // The start needs more for a while.
    await eventually('an idle system', isWithin).catch(() => undefined);
    const { used = Infinity, parts } = median() ?? {};
    expect({ isTooMuch: used > MOST_MEMORY, parts }).toMatchObject({ isTooMuch: false });
    npm.kill('SIGTERM');
    await closed;
  });

  it('rejects settings without effect in one line, and starts nothing', async () => {
    const DATA_DIR = join(folder, 'refused');
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR, COLLECTOR_CLIENT_CA: '/any' };
    const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const output = text(npm.stderr);
    expect(await once(npm, 'close')).toEqual([2, null]);
    expect((await output).split('\n').filter((line) => !line.startsWith('npm '))).toEqual([refusal, '']);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('can check only the settings, before the steps that take long', async () => {
    const program = programFile('ringdown', 'check-settings');
    const check = (env: Record<string, string>): Promise<unknown> =>
      promisify(execFile)(process.execPath, [program], { env: { DATA_DIR: join(folder, 'none'), ...env } }).catch(
        ({ code, stdout, stderr }: Record<string, unknown>) => ({ code, stdout, stderr }),
      );
    expect(await check({})).toEqual({ stdout: '', stderr: '' });
    expect(await check({ COLLECTOR_CLIENT_CA: '/any' })).toEqual({ code: 2, stdout: '', stderr: `${refusal}\n` });
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
