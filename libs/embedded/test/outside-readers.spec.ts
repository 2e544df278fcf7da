import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, listening } from '../src/index.js';
import { BUS_USER_NAMES } from '../src/doors/bus.js';
import { findNatsServer } from '../src/nats-program.js';
import { keyVariable } from '../src/users-config.js';

const root = join(import.meta.dirname, '../../../..');
const repositoryText = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Seed and public key, generated as in the guide. */
function makeKey(): readonly [string, string] {
  const output = execFileSync('sh', [join(root, 'deploy', 'make-env.sh'), 'key'], { encoding: 'utf8' });
  const [seed = '', publicKey = ''] = output.split('\n');
  return [seed, publicKey];
}

describe('an external reader of the bus, set up as described in docs/guides/subscribers.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-readers-'));
  const [readerSeed, readerKey] = makeKey();
  const [serviceSeed, serviceKey] = makeKey();
  const opened: NatsConnection[] = [];
  let port: number;
  let server: ChildProcess;

  beforeAll(async () => {
    port = await freePort();
    const [, block = ''] = /^```\n(BILLING \{\n[^`]*)```$/m.exec(repositoryText('docs/guides/subscribers.md')) ?? [];
    const users = repositoryText('deploy/bus/users.conf').replace(
      /\}\n$/,
      `${block.replace('UPUBLICKEY', readerKey)}}\n`,
    );
    writeFileSync(join(folder, 'users.conf'), users);
    const config = repositoryText('deploy/bus/nats.conf')
      .replace('port: 4222', `listen: "127.0.0.1:${port}"`)
      .replace('http: "127.0.0.1:8222"', '')
      .replace('"/data"', JSON.stringify(join(folder, 'data')));
    writeFileSync(join(folder, 'nats.conf'), config);
    const program = await findNatsServer({ allowOld: false });
    if (program === undefined) throw new Error('nats-server 2.10 or later was not found');
    const keys = BUS_USER_NAMES.map((name) => [keyVariable(name), name === 'subscribers' ? serviceKey : makeKey()[1]]);
    server = spawn(program.command, ['--config', join(folder, 'nats.conf')], {
      env: { ...process.env, ...Object.fromEntries(keys) },
      stdio: 'ignore',
    });
    const died = once(server, 'exit').then(() =>
      Promise.reject(new Error('nats-server does not take this configuration')),
    );
    await Promise.race([listening(port), died]);
  });
  afterAll(async () => {
    for (const connection of opened) await connection.close();
    const ended = once(server, 'exit');
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(seed: string, inboxPrefix?: string): Promise<NatsConnection> {
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(seed));
    const options = inboxPrefix === undefined ? {} : { inboxPrefix };
    const connection = await connect({ servers: `127.0.0.1:${port}`, authenticator, ...options });
    opened.push(connection);
    return connection;
  }

  it('reads what is published for it', async () => {
    const reader = await open(readerSeed);
    const messages = reader.subscribe('ringdown.subscribers.billing.calls', { max: 1 });
    await reader.flush();
    const service = await open(serviceSeed, '_INBOX.subscribers');
    service.publish('ringdown.subscribers.billing.calls', JSON.stringify({ callId: 'c1' }));
    for await (const message of messages) expect(message.json()).toEqual({ callId: 'c1' });
  });

  it.each(['ringdown.records.*', 'ringdown.subscribers.other.calls', 'ringdown.calls.changed', '_INBOX.>', '>'])(
    'cannot read %s',
    async (subject) => {
      const reader = await open(readerSeed);
      const refused = new Promise((resolve) => reader.subscribe(subject, { callback: resolve }));
      expect(String(await refused)).toContain('Permissions Violation for Subscription');
    },
  );

  it.each(['ringdown.subscribers.billing.calls', 'ringdown.records.0', '$JS.API.INFO'])(
    'cannot write to %s',
    async (subject) => {
      const reader = await open(readerSeed);
      const refused = (async (): Promise<string> => {
        for await (const status of reader.status()) if (status.type === 'error') return status.error.message;
        return 'the connection was closed';
      })();
      reader.publish(subject, '{}');
      expect(await refused).toContain('Permissions Violation for Publish');
    },
  );
});
