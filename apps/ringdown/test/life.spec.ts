import { readFirstUsers } from '@ringdown/directory';
import { freePort } from '@ringdown/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';

const main = fileURLToPath(new URL('../src/main.js', import.meta.url));

interface System {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code. */
  readonly ended: Promise<number | null>;
}

function launch(env: Record<string, string>): System {
  const clean = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const child = spawn(process.execPath, [main], {
    env: { ...clean, LISTEN_HOST: '127.0.0.1', INNER_PORT: '0', ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  return { process: child, stdout: () => output.stdout, stderr: () => output.stderr, ended };
}

async function running(system: System): Promise<void> {
  while (!system.stdout().includes('Ringdown is running')) {
    const code = await Promise.race([system.ended, new Promise((resolve) => setTimeout(resolve, 50, 'not yet'))]);
    if (code !== 'not yet') throw new Error(`it ended with ${String(code)}: ${system.stderr()}`);
  }
}

/** Pids of processes whose command line names the folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      // It ended while we looked.
      return false;
    }
  });
}

describe('the one-process system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-life-'));
  const data = join(folder, 'data');
  let ports: { PORT: string; COLLECTOR_PORT: string };
  let origin: string;

  beforeAll(async () => {
    ports = { PORT: String(await freePort()), COLLECTOR_PORT: String(await freePort()) };
    origin = `https://localhost:${ports.PORT}`;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Trusts the certificate of the system and nothing else, as the printed commands do. */
  function trusting(): Agent {
    return new Agent({ connect: { ca: readFileSync(join(data, 'tls', 'cert.pem')) } });
  }

  async function signIn(agent: Agent): Promise<string> {
    const carol = (await readFirstUsers(join(data, 'first-users.json'))).find(({ roles }) =>
      roles.includes('operator'),
    );
    const form = new URLSearchParams({
      grant_type: 'password',
      Username: carol?.username ?? '',
      password: carol?.password ?? '',
    });
    const answer = await request(`${origin}/uc/token`, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    const token: unknown = await answer.body.json();
    return typeof token === 'object' && token !== null && 'access_token' in token ? String(token.access_token) : '';
  }

  async function statusOf(path: string, token: string, agent: Agent): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await request(origin + path, { dispatcher: agent, headers });
    await body.dump();
    return statusCode;
  }

  it('starts, prints what a newcomer needs, keeps tokens over a restart, and leaves no process behind', async () => {
    const first = launch({ ...ports, DATA_DIR: data });
    await running(first);
    const users = await readFirstUsers(join(data, 'first-users.json'));
    expect(users.map(({ username }) => username)).toEqual([
      'alice@example.test',
      'bob@example.test',
      'carol@example.test',
    ]);
    for (const { username, password } of users) expect(first.stdout()).toContain(`${username}  ${password}`);
    expect(first.stdout()).toContain('npm run demo');
    expect(statSync(join(data, 'first-users.json')).mode & 0o777).toBe(0o600);
    const agent = trusting();
    const token = await signIn(agent);
    expect(await statusOf('/api/calls', token, agent)).toBe(200);
    await agent.close();
    expect(processesIn(data).length).toBeGreaterThanOrEqual(2);
    first.process.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(processesIn(data)).toEqual([]);

    const second = launch({ ...ports, DATA_DIR: data });
    await running(second);
    expect(second.stdout()).not.toContain(users[0]?.password);
    const laterAgent = trusting();
    expect(await statusOf('/api/calls', token, laterAgent)).toBe(200);
    await laterAgent.close();

    const third = launch({ PORT: '0', COLLECTOR_PORT: '0', DATA_DIR: data });
    expect(await third.ended).toBe(1);
    expect(third.stderr()).toBe(`ringdown: the data folder ${data} is in use by process ${second.process.pid}\n`);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  }, 90_000);

  it('ends what a crash has left behind, and goes on', async () => {
    const crashed = launch({ ...ports, DATA_DIR: data });
    await running(crashed);
    crashed.process.kill('SIGKILL');
    await crashed.ended;
    const next = launch({ ...ports, DATA_DIR: data });
    await running(next);
    const agent = trusting();
    expect(await statusOf('/api/calls', await signIn(agent), agent)).toBe(200);
    await agent.close();
    next.process.kill('SIGTERM');
    expect(await next.ended).toBe(0);
    expect(processesIn(data)).toEqual([]);
  }, 90_000);

  it('says in one line that a port is busy', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const address = busy.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    for (const setting of ['PORT', 'COLLECTOR_PORT']) {
      const system = launch({ ...ports, DATA_DIR: data, [setting]: port });
      expect(await system.ended).toBe(1);
      expect(system.stderr()).toBe(`ringdown: port ${port} on 127.0.0.1 is in use by another program (${setting})\n`);
    }
    busy.close();
  });

  it('says in one line that the data folder cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    const system = launch({ ...ports, DATA_DIR: join(folder, 'file', 'data') });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toMatch(/^ringdown: the data folder .* cannot be written \(DATA_DIR\): ENOTDIR.*\n$/);
  });

  it('says in one line each which settings are wrong or unknown, with exit code 2', async () => {
    const wrong = launch({ ...ports, DATA_DIR: data, LOG_LEVEL: 'loud', NATS_URL: 'http://x' });
    expect(await wrong.ended).toBe(2);
    const lines = wrong.stderr().trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(wrong.stderr()).toContain('ringdown: LOG_LEVEL must be one of');
    expect(wrong.stderr()).toContain('ringdown: NATS_URL must be a URL like nats://… or tls://…');
    const unknown = launch({ ...ports, DATA_DIR: data, SIP_DOMAIN: 'a.test' });
    expect(await unknown.ended).toBe(2);
    expect(unknown.stderr()).toBe('ringdown: SIP_DOMAIN is not a setting; did you mean SIP_DOMAINS?\n');
  });

  it('says in one line that a bus does not answer, and leaves nothing running', async () => {
    const own = join(folder, 'own');
    const system = launch({ ...ports, DATA_DIR: own, NATS_URL: 'nats://127.0.0.1:1' });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toMatch(/^ringdown: no message bus at nats:\/\/127\.0\.0\.1:1: .*\n$/);
    expect(processesIn(own)).toEqual([]);
    expect(existsSync(join(own, 'ringdown.pid'))).toBe(false);
  }, 60_000);
});
