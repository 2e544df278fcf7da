import { readFirstUsers } from '@ringdown/directory/people-file';
import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, logged, type Ports, running, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { processesIn } from '@ringdown/testing/running-processes';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startXml } from './feed-examples.js';

/** Runs like `npm run dead-letters`. */
async function deadLetters(dataDir: string, ...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const program = programFile('ringdown', 'dead-letters');
  const child = spawn(process.execPath, [program, ...args], { env: { ...programEnvironment(), DATA_DIR: dataDir } });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, stderr };
}

describe('the one-process system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-life-'));
  const data = join(folder, 'data');
  let ports: Ports;

  beforeAll(async () => {
    ports = await freePorts();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function callsStatus(client: SystemClient, token: string): Promise<number> {
    return (await client.as(token, '/api/calls')).status;
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
    expect(first.stdout()).toContain(join(data, 'first-users.json'));
    for (const { password } of users) expect(first.stdout()).not.toContain(password);
    const { PORT, COLLECTOR_PORT } = ports;
    const demo = `PORT=${PORT} COLLECTOR_PORT=${COLLECTOR_PORT} DATA_DIR=${data} npm run demo`;
    expect(first.stdout()).toContain(`  ${demo}\n`);
    expect(statSync(join(data, 'first-users.json')).mode & 0o777).toBe(0o600);
    const client = new SystemClient(data, ports);
    const token = await client.signIn('carol');
    const made = await client.as(token, '/uc/v1/applications', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ culture: 'en-US', endpointId: 'life', UserAgent: 'test' }),
    });
    expect(made.status).toBe(201);
    const [, application = ''] = /"self":{"href":"([^"]+)"/.exec(made.text) ?? [];
    expect(await client.post(startXml('kept-call'))).toMatchObject({ status: 200 });
    await eventually('the call', async () => (await client.as(token, '/api/calls/kept-call')).status === 200);
    expect(await deadLetters(data, 'list')).toEqual({ code: 0, stderr: 'No dead letters.\n' });
    await client.stop();
    expect(processesIn(data).length).toBeGreaterThanOrEqual(2);
    first.process.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(processesIn(data)).toEqual([]);

    const httpPort = String(await freePort());
    const second = launch({ ...ports, HTTP_PORT: httpPort, DATA_DIR: data });
    await running(second);
    const plain = `http://127.0.0.1:${httpPort}`;
    const discovery = await fetch(`${plain}/?sipuri=alice@example.test`);
    const origin = `https://localhost:${ports.PORT}`;
    expect(await discovery.json()).toHaveProperty('_links.user.href', `${origin}/uc/discovery/user`);
    const sent = await fetch(`${plain}/api/calls`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([301, `${origin}/api/calls`]);
    expect((await fetch(`${plain}/uc/token`, { method: 'POST' })).status).toBe(403);
    expect(second.stdout()).not.toContain(users[0]?.password);
    const laterClient = new SystemClient(data, ports);
    expect(await laterClient.as(token, application)).toMatchObject({ status: 200 });
    const call = await laterClient.as(token, '/api/calls/kept-call');
    expect(JSON.parse(call.text)).toMatchObject({ callId: 'kept-call', state: 'active', version: 1 });
    await laterClient.stop();

    const third = launch({ PORT: '0', COLLECTOR_PORT: '0', DATA_DIR: data });
    expect(await third.ended).toBe(1);
    expect(third.stderr()).toBe(`ringdown: the data folder ${data} is in use by process ${second.process.pid}\n`);
    second.process.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });

  it('prints the first passwords on a terminal', async () => {
    const place = join(folder, 'terminal');
    const program = programFile('ringdown');
    // `script` gives the command a terminal of its own.
    const child = spawn('script', ['-qec', `'${process.execPath}' '${program}'`, '/dev/null'], {
      env: { ...programEnvironment(), LISTEN_HOST: '127.0.0.1', INNER_PORT: '0', ...ports, DATA_DIR: place },
    });
    let shown = '';
    child.stdout.on('data', (chunk) => (shown += String(chunk)));
    const ended = once(child, 'exit');
    await eventually('the welcome', () => shown.includes('Try next'));
    const users = await readFirstUsers(join(place, 'first-users.json'));
    for (const { username, password } of users) expect(shown).toContain(`${username}  ${password}`);
    const [, pid] = /"pid":\s*(\d+)/.exec(readFileSync(join(place, 'running.json'), 'utf8')) ?? [];
    process.kill(Number(pid), 'SIGTERM');
    await ended;
  });

  it('ends processes that a crash has left, and starts', async () => {
    const crashed = launch({ ...ports, DATA_DIR: data });
    await running(crashed);
    crashed.process.kill('SIGKILL');
    await crashed.ended;
    const next = launch({ ...ports, DATA_DIR: data });
    await running(next);
    const client = new SystemClient(data, ports);
    expect(await callsStatus(client, await client.signIn('carol'))).toBe(200);
    await client.stop();
    next.process.kill('SIGTERM');
    expect(await next.ended).toBe(0);
    expect(processesIn(data)).toEqual([]);
  });

  it('serves the certificate in TLS_CERT and TLS_KEY, and reports in one line if they are unreadable', async () => {
    const own = join(folder, 'own');
    const [cert, key] = [join(data, 'tls', 'cert.pem'), join(data, 'tls', 'key.pem')];
    const feedPort = String(await freePort());
    await seedDatabase(join(own, 'database'));
    const system = launch({ ...ports, COLLECTOR_HTTPS_PORT: feedPort, DATA_DIR: own, TLS_CERT: cert, TLS_KEY: key });
    await running(system);
    expect(system.stdout()).toContain(`  Diagnostics feed        https://localhost:${feedPort}/\n`);
    expect(existsSync(join(own, 'tls'))).toBe(false);
    // Trusts only that certificate.
    const client = new SystemClient(data, ports);
    expect(await client.request('/')).toMatchObject({ status: 200 });
    expect(await client.postTo(`https://localhost:${feedPort}/`, startXml('secure-call'))).toMatchObject({
      status: 200,
    });
    await client.stop();
    system.process.kill('SIGTERM');
    expect(await system.ended).toBe(0);

    const without = launch({ ...ports, DATA_DIR: own, TLS_CERT: join(folder, 'none.pem'), TLS_KEY: key });
    expect(await without.ended).not.toBe(0);
    expect(without.stderr()).toMatch(/^ringdown: .*TLS_CERT.*\n$/);
  });

  it('reports in one line that a port is busy', async () => {
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
    const system = launch({ ...ports, DATA_DIR: data, COLLECTOR_PORT: ports.PORT });
    expect(await system.ended).toBe(1);
    const reason = `PORT and COLLECTOR_PORT are both ${ports.PORT}; each needs its own port`;
    expect(system.stderr()).toBe(`ringdown: ${reason}\n`);
  });

  it('is not found by the dead-letters command in another data folder', async () => {
    const nowhere = join(folder, 'nowhere');
    const reason = `dead-letters: no system runs in ${nowhere} (DATA_DIR), and NATS_URL is not set\n`;
    expect(await deadLetters(nowhere, 'list')).toEqual({ code: 1, stderr: reason });
  });

  it('reports in one line that the data folder is not writable', async () => {
    writeFileSync(join(folder, 'file'), '');
    const system = launch({ ...ports, DATA_DIR: join(folder, 'file', 'data') });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toMatch(/^ringdown: the data folder .* cannot be written \(DATA_DIR\): ENOTDIR.*\n$/);
    const nowhere = launch({ ...ports, DATA_DIR: '/proc/ringdown/data' });
    expect(await nowhere.ended).toBe(1);
    expect(nowhere.stderr()).toMatch(/^ringdown: the data folder .* cannot be written \(DATA_DIR\): .*\n$/);
  });

  it('reports in one line each which settings are wrong or unknown, with exit code 2', async () => {
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

  it('waits for a bus that does not respond, says so, and leaves no process running when it is stopped', async () => {
    const own = join(folder, 'own');
    const system = launch({ ...ports, DATA_DIR: own, NATS_URL: 'nats://127.0.0.1:1' });
    await logged(system, /the start waits for the message bus/);
    await logged(system, /cannot connect to the message bus at nats:\/\/127\.0\.0\.1:1: /);
    system.process.kill('SIGTERM');
    expect(await system.ended).toBe(0);
    expect(processesIn(own)).toEqual([]);
    expect(existsSync(join(own, 'running.json'))).toBe(false);
  });
});
