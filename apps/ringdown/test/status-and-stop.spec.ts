import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, type LaunchedSystem, logged, running } from '@ringdown/testing/launched-system';
import { startNats } from '@ringdown/testing/servers/nats';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { processesIn } from '@ringdown/testing/running-processes';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs like `npm run status` and `npm stop`. */
async function command(name: 'status' | 'stop', dataDir: string): Promise<Ended> {
  const program = programFile('ringdown', name);
  const child = spawn(process.execPath, [program], { env: { ...programEnvironment(), DATA_DIR: dataDir } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, stdout, stderr };
}

/** Whether a signal waits for a process that is stopped. */
function isPending(signal: 'SIGTERM', pid: number): boolean {
  const [, pending = '0'] = /^ShdPnd:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${pending}`) & (1n << BigInt(constants.signals[signal] - 1))) !== 0n;
}

function notRunning(dataDir: string): string {
  return `Ringdown is not running: no process uses ${dataDir} (DATA_DIR)`;
}

describe('npm run status and npm stop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-status-'));
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  const launched: LaunchedSystem[] = [];

  beforeAll(() => Promise.all([one, other].map((data) => seedDatabase(join(data, 'database')))));
  afterAll(async () => {
    for (const system of launched) await system.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<LaunchedSystem> {
    const system = launch({ ...(await freePorts()), DATA_DIR: dataDir, ...more });
    launched.push(system);
    await running(system);
    return system;
  }

  it('show the system of their data folder, and stop only that one', async () => {
    const occupied = createServer().listen(8790, '127.0.0.1');
    // Another program on this machine may use the port, which has the same effect.
    await new Promise<unknown>((resolve) => occupied.once('listening', resolve).once('error', resolve));
    const first = await start(one, { INNER_PORT: '' });
    const second = await start(other, { INNER_PORT: '', LOG_LEVEL: 'info' });
    occupied.close();
    for (const [system, dataDir] of [
      [first, one],
      [second, other],
    ] as const) {
      const { stdout } = await eventually('the system to be ready', async () => {
        const answer = await command('status', dataDir);
        return answer.code === 0 && answer;
      });
      expect(stdout).toContain(`Ringdown is running and ready: process ${system.process.pid}, since 20`);
      expect(stdout).toMatch(/^ {2}bus +ok$/m);
      expect(stdout).toMatch(/^ {2}database +ok$/m);
      expect(stdout).toMatch(/^ +0 messages of the bus that are not read yet$/m);
      const [, inner] = /^ {2}Health and metrics +(\S+)$/m.exec(stdout) ?? [];
      expect(system.stdout()).toContain(`  Health and metrics      ${inner}\n`);
      expect((await fetch(`${inner}health/ready`)).status).toBe(200);
    }
    await logged(second, /port 8790 on 127\.0\.0\.1 is in use \(INNER_PORT\); health and metrics are at port/);
    // This is not a reason for a warning, since the addresses above include the other port.
    expect(first.stderr()).not.toContain('8790');

    const stopped = `Ringdown has stopped: process ${first.process.pid}, data in ${one}\n`;
    expect(await command('stop', one)).toEqual({ code: 0, stdout: stopped, stderr: '' });
    expect(await first.ended).toBe(0);
    expect(processesIn(one)).toEqual([]);
    expect(await command('status', one)).toEqual({ code: 3, stdout: `${notRunning(one)}\n`, stderr: '' });
    expect(await command('stop', one)).toMatchObject({ code: 0, stdout: expect.stringContaining('was not running') });
    expect((await command('status', other)).code).toBe(0);
    expect((await command('stop', other)).code).toBe(0);
    expect(await second.ended).toBe(0);
  });

  it('ignore the files of a crashed system, and end its remaining processes', async () => {
    const system = await start(one);
    system.process.kill('SIGKILL');
    await system.ended;
    const crashed = `${notRunning(one)}; process ${system.process.pid} has ended without a regular stop\n`;
    expect(await command('status', one)).toEqual({ code: 3, stdout: crashed, stderr: '' });
    expect(
      processesIn(one)
        .map(({ command }) => command)
        .join(),
    ).toContain('nats-server');
    // The id now belongs to another process: this test.
    const file = join(one, 'running.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"pid": ${system.process.pid}`, `"pid": ${process.pid}`));
    expect((await command('status', one)).code).toBe(3);
    const { code, stdout } = await command('stop', one);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ended what a crash has left behind: nats-server/)]);
    await eventually('the end of all that it has started', () => processesIn(one).length === 0);
    expect((await start(one)).stdout()).toContain('Ringdown is running');
    await command('stop', one);
  });

  it('know a system whose process they cannot see, as from another container, and leave it alone', async () => {
    const system = await start(one);
    const file = join(one, 'running.json');
    const known = readFileSync(file, 'utf8');
    writeFileSync(file, known.replace(`"pid": ${system.process.pid}`, '"pid": 4194305'));
    const owner = 'process 4194305 of another container or machine';
    expect(await command('status', one)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Ringdown is running, and its state is known only there: ${owner}`),
    });
    expect(await command('stop', one)).toEqual({
      code: 1,
      stdout: '',
      stderr: `stop: ${one} (DATA_DIR) is in use by ${owner}: stop it there\n`,
    });
    const second = launch({ ...(await freePorts()), DATA_DIR: one });
    expect([await second.ended, second.stderr()]).toEqual([
      1,
      `ringdown: the data folder ${one} is in use by ${owner}\n`,
    ]);
    writeFileSync(file, known);
    expect((await command('status', one)).code).toBe(0);
    await command('stop', one);
  });

  it('end what a system has left behind that did not stop in order', async () => {
    const system = await start(one);
    const { pid = 0 } = system.process;
    // It takes the signal of `npm stop` no more, as one that hangs.
    system.process.kill('SIGSTOP');
    const stopped = command('stop', one);
    await eventually('the signal', () => isPending('SIGTERM', pid));
    system.process.kill('SIGKILL');
    const left = 'ended what it has left behind: nats-server, database';
    const stdout = `Ringdown has stopped: process ${pid}, data in ${one}; ${left}\n`;
    expect(await stopped).toEqual({ code: 0, stdout, stderr: '' });
    await eventually('the end of all that it has started', () => processesIn(one).length === 0);
  });

  it('show how often the servers inside were started again, and when last', async () => {
    const system = await start(one);
    const before = new Date().toISOString();
    for (const pidFile of ['nats/nats-server.pid', 'database/database.pid'])
      process.kill(Number(readFileSync(join(one, pidFile), 'utf8')), 'SIGKILL');
    const restarted = /^ +1 times that the (bus|database) was started again, the last at (\S+)$/gm;
    const found = await eventually('both to run again', async () => {
      const { code, stdout } = await command('status', one);
      const lines = [...stdout.matchAll(restarted)];
      return code === 0 && lines.length === 2 && lines;
    });
    expect(found.map(([, server]) => server)).toEqual(['bus', 'database']);
    for (const [, , at = ''] of found) expect(at > before && at <= new Date().toISOString()).toBe(true);
    const [, inner = ''] = /^ {2}Health and metrics +(\S+)$/m.exec(system.stdout()) ?? [];
    const metrics = await (await fetch(`${inner}metrics`)).text();
    for (const server of ['bus', 'database'])
      expect(metrics).toContain(`\nringdown_server_restarts_total{server="${server}"} 1\n`);
    await command('stop', one);
  });

  it('show why a running system is not ready', async () => {
    const nats = await startNats();
    const system = await start(one, { NATS_URL: nats.url });
    await nats.stop();
    const { code, stdout } = await eventually('what is wrong', async () => {
      const status = await command('status', one);
      return status.code === 1 && status;
    });
    expect([code, stdout]).toEqual([1, expect.stringContaining('Ringdown is running and NOT ready')]);
    system.process.kill('SIGTERM');
    await system.ended;
  });
});
