import { nodeErrorCode } from '@ringdown/errors';
import { eventually } from '@ringdown/testing/eventually';
import {
  type Answer,
  freePorts,
  launch,
  type LaunchedSystem,
  logged,
  running,
  SystemClient,
} from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startXml } from './feed-examples.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the log of all services, at its most verbose level', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-log-'));
  /** Everything that would give access, by its kind. */
  const secrets = new Map<string, string>();
  const started = new Started();
  let system: LaunchedSystem;
  let client: SystemClient;

  beforeAll(async () => {
    const ports = await freePorts();
    await seedDatabase(join(folder, 'database'));
    system = started.add(launch({ ...ports, DATA_DIR: folder, LOG_LEVEL: 'trace', LOG_FORMAT: 'json' }));
    await running(system);
    client = started.add(new SystemClient(folder, ports));
    for (const name of ['alice', 'bob', 'carol'])
      secrets.set(`${name}'s password`, (await client.firstUser(name)).password);
    const [seed = ''] = /SU[A-Z2-7]+/.exec(readFileSync(join(folder, 'nats', 'commands.url'), 'utf8')) ?? [];
    secrets.set('a key of the bus', seed);
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function signIn(name: string): Promise<string> {
    const token = await client.signIn(name);
    secrets.set(`a token of ${name}`, token);
    return token;
  }

  function made(what: string): string {
    const secret = `made-up-${what}-${secrets.size}-4f1c9b`;
    secrets.set(`an invalid ${what}`, secret);
    return secret;
  }

  function requestToken(body: string, headers: Record<string, string> = FORM): Promise<Answer> {
    return client.request('/uc/token', { method: 'POST', headers, body });
  }

  async function useEverything(): Promise<void> {
    const alice = await signIn('alice');
    const carol = await signIn('carol');
    expect((await client.as(alice, '/uc/discovery/user')).status).toBe(200);
    const created = await client.as(alice, '/uc/v1/applications', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ culture: 'en-US', endpointId: 'log', userAgent: 'Log/1' }),
    });
    const [application = ''] = /\/uc\/v1\/applications\/\d{24}/.exec(created.text) ?? [];
    expect((await client.as(alice, `${application}/people/search?query=bob&limit=5`)).status).toBe(200);
    expect((await client.as(alice, `${application}/people/contacts`)).status).toBe(200);
    expect((await client.post(startXml('logged'))).status).toBe(200);
    expect((await client.post('<html/>')).status).toBe(400);
    expect((await client.as(carol, '/api/calls')).status).toBe(200);
    expect((await client.as(alice, '/api/calls')).status).toBe(403);
    const revoke = (body: string): Promise<Answer> =>
      client.request('/uc/token/revoke', { method: 'POST', headers: FORM, body });
    expect((await revoke(`token=${alice}`)).status).toBe(200);
    expect((await revoke(`token=${made('token')}`)).status).toBe(200);
  }

  async function getEverythingWrong(): Promise<void> {
    const username = 'alice@example.test';
    const grant = { grant_type: 'password', Username: username };
    const form = (password: string): string => new URLSearchParams({ ...grant, password }).toString();
    expect((await requestToken(form(made('password')))).status).toBe(400);
    expect((await requestToken(`${form(made('password'))}&password=again`)).status).toBe(400);
    expect((await requestToken(`password=${made('password')}`)).status).toBe(400);
    expect((await requestToken(JSON.stringify({ ...grant, password: made('password') }), JSON_TYPE)).status).toBe(415);
    expect((await requestToken(`${form(made('password'))}${'x'.repeat(300_000)}`)).status).toBe(413);
    expect((await client.request(`/uc/token?${form(made('password'))}`)).status).toBe(405);
    expect((await client.as(made('token'), '/uc/discovery/user')).status).toBe(401);
    expect((await client.as(made('token'), '/api/calls')).status).toBe(401);
    expect((await client.request(`/uc/discovery/user?access_token=${made('token')}`)).status).toBe(401);
    const basic = Buffer.from(`alice:${made('password')}`).toString('base64');
    secrets.set('a header of another scheme', basic);
    expect(
      (await client.request('/api/calls', { method: 'GET', headers: { authorization: `Basic ${basic}` } })).status,
    ).toBe(401);
    const ticket = { 'x-ringdown-webticket': made('ticket') };
    expect((await client.request('/uc/discovery/user', { method: 'GET', headers: ticket })).status).toBe(401);
    expect((await client.post(startXml('logged'), `/x?key=${made('key')}`)).status).toBe(200);
  }

  /** Internal errors are logged with their reasons, which must not include the content of requests. */
  async function useItWithoutItsBus(): Promise<void> {
    const bob = await signIn('bob');
    const { password } = await client.firstUser('alice');
    const grant = new URLSearchParams({ grant_type: 'password', Username: 'alice', password });
    await rejectedWithoutBus(() => requestToken(grant.toString()));
    await rejectedWithoutBus(() => client.as(bob, '/uc/discovery/user'));
    await rejectedWithoutBus(() => client.post(startXml('lost')));
    await eventually('a good answer', async () => (await client.as(bob, '/uc/discovery/user')).status === 200);
  }

  /** A frozen bus is replaced within seconds, and a request that still waits is then accepted: it is sent again. */
  async function rejectedWithoutBus(request: () => Promise<Answer>): Promise<void> {
    await eventually('a rejected request', async () => {
      const bus = Number(readFileSync(join(folder, 'nats', 'nats-server.pid'), 'utf8'));
      if (!signalled(bus, 'SIGSTOP')) return false;
      try {
        return (await request()).status === 503;
      } finally {
        signalled(bus, 'SIGCONT');
      }
    });
  }

  it('contains nothing that would give access', async () => {
    await useEverything();
    await getEverythingWrong();
    await useItWithoutItsBus();
    for (const line of [
      /"path":"\/uc\/token","status":200/,
      /"path":"\/uc\/token","status":415/,
      /"path":"\/api\/calls"/,
      /"msg":"responded with 503"/,
    ]) {
      await logged(system, line);
    }
    const log = system.stderr();
    expect([...secrets.values()].every((secret) => secret.length >= 12)).toBe(true);
    expect([...secrets].filter(([, secret]) => log.includes(secret)).map(([what]) => what)).toEqual([]);
    expect(log).not.toContain('$argon2');
    expect(log).not.toMatch(/authorization/i);
  });
});

/** False if the process has ended. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (nodeErrorCode(error) === 'ESRCH') return false;
    throw error;
  }
}
