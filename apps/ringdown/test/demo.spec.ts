import {
  eventually,
  freePorts,
  launch,
  running,
  SystemClient,
  type LaunchedSystem,
  type Ports,
} from '@ringdown/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sender = fileURLToPath(new URL('../../../sender/dist/src/main.js', import.meta.url));
const IN_PROGRESS = '/api/calls?state=invited,active,held&limit=100';

interface Call {
  readonly callId: string;
  readonly state: string;
}

describe('the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-demo-'));
  const data = join(folder, 'data');
  let ports: Ports;
  let system: LaunchedSystem;
  let client: SystemClient;
  let token: string;

  beforeAll(async () => {
    ports = await freePorts();
    system = launch({ ...ports, DATA_DIR: data });
    await running(system);
    client = new SystemClient(data, ports);
    token = await client.signIn('carol');
  });
  afterAll(async () => {
    await client?.stop();
    system?.process.kill('SIGTERM');
    await system?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  async function get<T>(path: string): Promise<T> {
    const { status, text } = await client.as(token, path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  async function calls(path: string): Promise<readonly Call[]> {
    return (await get<{ items: readonly Call[] }>(path)).items;
  }

  function start(): ChildProcess {
    const system = ['--to', client.collector, '--origin', client.origin, '--users', join(data, 'first-users.json')];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(data, 'tls', 'cert.pem') };
    return spawn(process.execPath, [sender, 'demo', ...system, '--hours', '0.5'], { env, stdio: 'ignore' });
  }

  /** Sends SIGINT as Ctrl-C does, and waits until everything that was sent is processed. */
  async function interrupt(demo: ChildProcess): Promise<void> {
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
    await eventually('the end of all calls', async () => (await calls(IN_PROGRESS)).length === 0);
  }

  it('keeps 30 to 50 calls going, with messages, and leaves none open after Ctrl-C', async () => {
    const demo = start();
    await eventually('30 calls', async () => (await calls(IN_PROGRESS)).length >= 30);
    expect((await calls(IN_PROGRESS)).length).toBeLessThanOrEqual(50);
    const [active] = await calls('/api/calls?state=active&limit=1');
    await eventually('messages', async () => {
      const { items } = await get<{ items: readonly unknown[] }>(`/api/calls/${active?.callId}/messages`);
      return items.length >= 5;
    });
    await interrupt(demo);
    expect(await calls('/api/calls?state=expired')).toEqual([]);
  });

  it('lets no clock look wrong, and no record late', async () => {
    const ended = await calls('/api/calls?state=ended&limit=100');
    expect(ended.length).toBeGreaterThan(20);
    for (const { callId } of ended.slice(-20)) {
      const { clocks } = await get<{ clocks: readonly { clock: string; skewSeconds: number }[] }>(
        `/api/calls/${callId}`,
      );
      const ofFrontEnds = clocks.filter(({ clock }) => clock === 'frontEnd');
      expect(ofFrontEnds).not.toEqual([]);
      for (const { skewSeconds } of ofFrontEnds) expect(Math.abs(skewSeconds)).toBeLessThan(5);
    }
    const { items } = await get<{ items: readonly { name: string; late: number; expired: number }[] }>(
      '/api/front-ends',
    );
    expect(items.map(({ name, late, expired }) => [name, late, expired])).toEqual(
      ['fe01', 'fe02', 'fe03'].map((name) => [`${name}.example.test`, 0, 0]),
    );
  });

  it('has alert rules and searches of its own, once, and fills in nothing again when it is started again', async () => {
    const before = (await calls('/api/calls?sort=oldest&limit=200')).map(({ callId }) => callId);
    const oldest = before.slice(0, 10);
    const demo = start();
    await eventually('30 calls again', async () => (await calls(IN_PROGRESS)).length >= 30);
    await interrupt(demo);
    for (const path of ['/api/alert-rules', '/api/searches']) {
      const { items } = await get<{ items: readonly { name: string }[] }>(path);
      const names = items.map(({ name }) => name).filter((name) => name.startsWith('Demo: '));
      expect(names.length).toBeGreaterThan(1);
      expect(new Set(names).size).toBe(names.length);
    }
    const { items } = await get<{ items: readonly { duplicates: number }[] }>('/api/front-ends');
    expect(items.map(({ duplicates }) => duplicates)).toEqual([0, 0, 0]);
    expect((await calls('/api/calls?sort=oldest&limit=200')).slice(0, 10).map(({ callId }) => callId)).toEqual(oldest);
  });
});
