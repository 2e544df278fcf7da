import { eventually } from '@ringdown/testing/eventually';
import {
  freePorts,
  launch,
  running,
  SystemClient,
  type LaunchedSystem,
  type Ports,
} from '@ringdown/testing/launched-system';
import { programFile } from '@ringdown/testing/program-file';
import { msProfile } from '@ringdown/vendor-profile';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = programFile('demo');
const IN_PROGRESS = '/api/calls?state=invited,active,held&limit=100';

/** With another one, other paths would be tried than those that the system tells. */
const VENDOR_PROFILE = 'ms';
const [TOKEN_PATH] = msProfile.web.paths.token;
const USER_PATH = msProfile.web.paths.user[0] ?? '';
/** Where it is three in the afternoon: at night an office has hardly any calls. */
const TZ = afternoonZone(new Date());

function afternoonZone(now: Date): string {
  const ahead = 15 - now.getUTCHours();
  // Signs of these names are those of POSIX; they end at 12 hours behind.
  return ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

interface Call {
  readonly callId: string;
  readonly state: string;
  readonly beganAt: string;
  readonly endedAt: string | null;
}

function demoCallIds(calls: readonly Call[]): readonly string[] {
  return calls.map(({ callId }) => callId);
}

interface RunningDemo {
  readonly process: ChildProcess;
  /** What it has written to standard error so far. */
  readonly log: () => string;
}

describe('the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-demo-'));
  const data = join(folder, 'data');
  let ports: Ports;
  let system: LaunchedSystem;
  let client: SystemClient;
  let token: string;
  /** Started by the first test, stopped by the second. */
  let demo: RunningDemo;
  const beganAt = Date.now();

  beforeAll(async () => {
    ports = await freePorts();
    system = launch({ ...ports, DATA_DIR: data, VENDOR_PROFILE });
    await running(system);
    client = new SystemClient(data, ports, TOKEN_PATH);
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

  function start(...more: readonly string[]): RunningDemo {
    const system = ['--to', client.collector, '--origin', client.origin, '--users', join(data, 'first-users.json')];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(data, 'tls', 'cert.pem'), VENDOR_PROFILE, TZ };
    const child = spawn(process.execPath, [program, ...system, '--hours', '2', ...more], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    child.stderr.on('data', (chunk) => (log += String(chunk)));
    return { process: child, log: () => log };
  }

  async function writes(demo: RunningDemo, text: string): Promise<void> {
    await eventually(text, () => demo.log().includes(text));
  }

  /** Sends SIGINT as Ctrl-C does, and waits until everything that was sent is processed. */
  async function interrupt(demo: RunningDemo): Promise<void> {
    const exited = once(demo.process, 'exit');
    demo.process.kill('SIGINT');
    expect(await exited).toEqual([130, null]);
    await eventually('the end of all calls', async () => (await calls(IN_PROGRESS)).length === 0);
    // Calls of the past are sent beside those.
    await eventually('the last record', async () => {
      const { partitions } = await get<{ partitions: readonly { waitingMessages: number }[] }>('/api/services');
      return partitions.every(({ waitingMessages }) => waitingMessages === 0);
    });
  }

  /** Without an end of its calls, as when the machine is switched off. */
  async function killed(demo: RunningDemo): Promise<readonly Call[]> {
    await eventually('30 calls', async () => (await calls(IN_PROGRESS)).length >= 30);
    const exited = once(demo.process, 'exit');
    demo.process.kill('SIGKILL');
    await exited;
    return calls(IN_PROGRESS);
  }

  /** Of the part of the past that is sent last. */
  async function olderCalls(): Promise<number> {
    const [from, to] = [115, 60].map((minutes) => new Date(beganAt - minutes * 60_000).toISOString());
    return (await get<{ calls: number }>(`/api/statistics/total?from=${from}&to=${to}`)).calls;
  }

  async function duplicates(): Promise<readonly number[]> {
    const { items } = await get<{ items: readonly { duplicates: number }[] }>('/api/front-ends');
    return items.map((each) => each.duplicates);
  }

  /** Reads what Carol sees of others: their activity. */
  async function presenceReader(): Promise<(name: string) => Promise<string>> {
    const { _links: links } = await get<{ _links: { applications: { href: string } } }>(USER_PATH);
    const { pathname } = new URL(links.applications.href);
    const endpoint = JSON.stringify({ culture: 'en-US', endpointId: 'demo-1', userAgent: 'Test/1.0' });
    const headers = { 'content-type': 'application/json' };
    const created = await client.as(token, pathname, { method: 'POST', headers, body: endpoint });
    const [, people] = /"href":"([^"]+\/people)"/.exec(created.text) ?? [];
    return async (name) => {
      const { activity } = await get<{ activity: string }>(`${people}/${name}@example.test/presence`);
      return activity;
    };
  }

  it('continues after an interruption: sends what is missing, nothing twice, and ends what was left open', async () => {
    const first = start();
    await writes(first, 'until Ctrl-C');
    await interrupt(first);
    const atFirst = await olderCalls();
    const second = start();
    await writes(second, 'Sending the missing calls since');
    const leftOpen = await killed(second);
    // Some may have ended since there were thirty.
    expect(leftOpen.length).toBeGreaterThan(20);
    demo = start();
    // The killed one has perhaps sent everything.
    await eventually('the end of the past', () =>
      /All calls of the past are sent\.|The calls of the demo until now are there already\./.test(demo.log()),
    );
    // Their ends are accepted by then, and perhaps not yet processed.
    const open = new Set(demoCallIds(leftOpen));
    await eventually('the end of what was left open', async () =>
      open.isDisjointFrom(new Set(demoCallIds(await calls(IN_PROGRESS)))),
    );
    // At night, few people call.
    await eventually('the missing calls', async () => (await olderCalls()) > atFirst + 3);
    expect(await calls('/api/calls?state=expired')).toEqual([]);
    expect(await duplicates()).toEqual([0, 0, 0]);
  });

  it('keeps 30 to 50 calls going, with messages and presence, and leaves none open after Ctrl-C', async () => {
    await eventually('30 to 50 calls', async () => {
      const { length } = await calls(IN_PROGRESS);
      return length >= 30 && length <= 50;
    });
    const [active] = await calls('/api/calls?state=active&limit=1');
    await eventually('messages', async () => {
      const { items } = await get<{ items: readonly unknown[] }>(`/api/calls/${active?.callId}/messages`);
      return items.length >= 5;
    });
    const presenceOf = await presenceReader();
    await eventually('Alice or Bob on the phone', async () =>
      (await Promise.all([presenceOf('alice'), presenceOf('bob')])).includes('on-the-phone'),
    );
    await interrupt(demo);
    await eventually('both off the phone', async () =>
      (await Promise.all([presenceOf('alice'), presenceOf('bob')])).every((activity) => activity === 'Offline'),
    );
    expect(await calls('/api/calls?state=expired')).toEqual([]);
    expect(await duplicates()).toEqual([0, 0, 0]);
  });

  it('fills in nothing again', async () => {
    const startedAt = new Date().toISOString();
    // Those that it shows as going on now began up to hours ago; of a night there are few others.
    const ofThePast = async (): Promise<readonly string[]> => {
      const oldest = await calls('/api/calls?sort=oldest&limit=200');
      return demoCallIds(oldest.filter(({ endedAt }) => endedAt !== null && endedAt < startedAt)).slice(0, 100);
    };
    const before = await ofThePast();
    expect(before.length).toBeGreaterThan(30);
    const again = start();
    await writes(again, 'The calls of the demo until now are there already.');
    await interrupt(again);
    expect(await ofThePast()).toEqual(before);
    expect(await calls('/api/calls?state=expired')).toEqual([]);
    expect(await duplicates()).toEqual([0, 0, 0]);
  });

  it('says that earlier calls stay as they are when something else is to be wrong', async () => {
    const again = start('--culprit', 'codec');
    await writes(again, 'until Ctrl-C');
    expect(again.log()).toContain('The calls of an earlier demo in this system stay as they are');
    await interrupt(again);
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

  it('has alert rules and searches of its own, each once', async () => {
    for (const path of ['/api/alert-rules', '/api/searches']) {
      const { items } = await get<{ items: readonly { name: string }[] }>(path);
      const names = items.map(({ name }) => name).filter((name) => name.startsWith('Demo: '));
      expect(names.length).toBeGreaterThan(1);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
