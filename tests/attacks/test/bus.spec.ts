import { findNatsServer, freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { runningSystem } from '../src/running-system.js';
import { BusConnection, publish, subscribe } from './bus-connection.js';

const DENIED = "-ERR 'Permissions Violation for ";

const SERVICES = ['collector', 'aggregator', 'discovery-auth', 'application-people', 'subscribers'] as const;
type ServiceName = (typeof SERVICES)[number];

describe('the bus', () => {
  let nats: TestNats;
  const connections = new Map<ServiceName, BusConnection>();

  beforeAll(async () => {
    nats = await startNats();
    for (const name of SERVICES) connections.set(name, await BusConnection.open(nats.url, nats.keyOf(name)));
  });
  afterAll(async () => {
    for (const connection of connections.values()) connection.close();
    await nats.stop();
  });

  async function answerTo(service: ServiceName, lines: string): Promise<string> {
    return (await connections.get(service)?.answer(lines)) ?? '';
  }

  describe("with a collector's key", () => {
    it.each([
      ['does not let it reply to requests for owners of tokens', 'SUB ringdown.tokens.introspect discovery-auth 1\r\n'],
      ['does not store a token', publish('$KV.TOKENS.0123456789abcdef', '{"username":"carol@example.test"}')],
      ['does not show the store of tokens', publish('$JS.API.DIRECT.GET.KV_TOKENS', '{"seq":1}')],
      ['does not create another store of tokens', publish('$JS.API.STREAM.CREATE.KV_TOKENS')],
      ['does not show stored records', publish('$JS.API.STREAM.MSG.GET.RECORDS', '{"seq":1}')],
      ['does not show stored records directly', publish('$JS.API.DIRECT.GET.RECORDS', '{"seq":1}')],
      ['does not deliver stored records', publish('$JS.API.CONSUMER.CREATE.RECORDS')],
      ['does not change the stream, to copy another one into it', publish('$JS.API.STREAM.UPDATE.RECORDS')],
      ['does not announce changed calls', publish('ringdown.calls.changed')],
      ['does not report another service as running', publish('$KV.SERVICES.aggregator.0123456789ab')],
    ])('%s', async (_what, lines) => {
      expect(await answerTo('collector', lines)).toContain(DENIED);
    });

    it('accepts its records', async () => {
      expect(await answerTo('collector', publish('ringdown.records.0'))).toBe('PONG\r\n');
    });
  });

  /** What an attacker could do with each right that a service does not need, and the services that have it. */
  it.each<[string, string, readonly ServiceName[]]>([
    ['reply with the owner of a token', subscribe('ringdown.tokens.introspect'), ['discovery-auth']],
    ['write tokens', publish('$KV.TOKENS.0123456789abcdef'), ['discovery-auth']],
    ['read tokens', publish('$JS.API.DIRECT.GET.KV_TOKENS', '{"seq":1}'), ['discovery-auth']],
    ['end tokens', publish('ringdown.tokens.revoked'), ['discovery-auth']],
    ['forget wrong passwords', publish('$JS.API.STREAM.PURGE.KV_SIGN_IN_FAILURES'), ['discovery-auth']],
    ['store records', publish('ringdown.records.0'), ['collector', 'aggregator']],
    ['store records of several partitions', publish('ringdown.bundles.0.1.-.-.-.-.-.-'), ['collector']],
    ['delete records', publish('$JS.API.STREAM.PURGE.RECORDS'), ['aggregator']],
    ['delete the stream of records', publish('$JS.API.STREAM.DELETE.RECORDS'), []],
    ['see records as they arrive', subscribe('ringdown.records.*'), []],
    ['read stored records', publish('$JS.API.DIRECT.GET.RECORDS', '{"seq":1}'), ['aggregator']],
    ['pull stored records', publish('$JS.FEED.API.CONSUMER.MSG.NEXT.RECORDS.c'), ['subscribers']],
    ['announce changed calls', publish('ringdown.calls.changed'), ['aggregator']],
    ['read messages of people', publish('$JS.API.DIRECT.GET.KV_MESSAGES', '{"seq":1}'), ['application-people']],
    ['write to subscribers', publish('ringdown.subscribers.other.calls'), ['subscribers']],
    ['see everything as it is published', subscribe('>'), []],
    ['see replies to others', subscribe('_INBOX.>'), []],
    ['reply in the place of a service', publish('_INBOX.discovery-auth.x.y'), []],
    ['see what the server does', subscribe('$SYS.>'), []],
  ])('lets only the services that need it %s', async (_what, lines, entitled) => {
    const allowed: ServiceName[] = [];
    for (const name of SERVICES) {
      if (!(await answerTo(name, lines)).includes(DENIED)) allowed.push(name);
    }
    expect(allowed).toEqual(entitled);
  });

  it('rejects a client without a key of its own', async () => {
    const { publicKey } = nats.keyOf('aggregator');
    const unknownClient = BusConnection.open(nats.url, { ...nats.keyOf('collector'), publicKey });
    await expect(unknownClient).rejects.toThrow('Authorization Violation');
  });
});

describe('the embedded bus', () => {
  let monitorPort: number;
  let server: string;
  beforeAll(async () => {
    monitorPort = await freePort();
    server = (await findNatsServer())?.command ?? '';
  });
  const system = runningSystem((data) => ({
    COLLECTOR_STORE_MS: '60000',
    PATH: `${monitoredServer(data, monitorPort, server)}:${process.env['PATH']}`,
  }));

  it('identifies each service by its own key', async () => {
    const configuration = readFileSync(join(system.data, 'nats', 'nats.conf'), 'utf8');
    const keys = configuration.matchAll(/^# ([a-z-]{1,40})\n\{\n +nkey: (U[A-Z2-7]{55})$/gm);
    const serviceOf = new Map([...keys].map(([, name, key]) => [key, name]));
    const connected = await eventually('connections of all services', async () => {
      const answer = await fetch(`http://127.0.0.1:${monitorPort}/connz?auth=true`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is expected of it checks it
      const { connections } = (await answer.json()) as { connections: readonly { authorized_user: string }[] };
      const users = new Set(connections.map(({ authorized_user: key }) => serviceOf.get(key)));
      users.delete('probe');
      return users.size >= SERVICES.length && users;
    });
    expect(connected).toEqual(new Set(SERVICES));
  });

  it('uses another port after a crash; a process on the old port receives no secret and no record', async () => {
    const before = portOfBus(system.data);
    process.kill(Number(readFileSync(join(system.data, 'nats', 'nats-server.pid'), 'utf8')), 'SIGKILL');
    const squatter = await Squatter.on(before);
    try {
      const statuses: number[] = [];
      const isTaken = async (): Promise<boolean> => {
        statuses.push((await system.client.post(RECORD)).status);
        return statuses.at(-1) === 200;
      };
      await eventually('the system takes records again', isTaken).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${statuses.join(', ')}\n${system.process.stderr()}`, { cause: error });
      });
      expect(portOfBus(system.data)).not.toBe(before);
      expect(squatter.received).not.toMatch(/"pass"|"auth_token"|PUB /);
    } finally {
      squatter.close();
    }
  });
});

const RECORD = `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe1.example.test</FrontEnd><CallId>attack-1</CallId>
<CSEQ>1</CSEQ></ConnectionInfo><Invite><From><URI>sip:a@example.test</URI></From><To><URI>sip:b@example.test</URI></To></Invite>
</Diagnostics>`;

/** A folder with a nats-server that also logs its connections, on that port. */
function monitoredServer(data: string, port: number, server: string): string {
  const folder = join(data, 'monitored');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'nats-server'), `#!/bin/sh\nexec '${server}' -m ${port} -a 127.0.0.1 "$@"\n`, {
    mode: 0o755,
  });
  return folder;
}

/** Undefined while none runs. */
function portOfBus(folder: string): number | undefined {
  const bus = join(folder, 'nats');
  const file = readdirSync(bus).find((name) => name.endsWith('.ports'));
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(file === undefined ? '' : readFileSync(join(bus, file), 'utf8')) ?? [];
  return port === undefined ? undefined : Number(port);
}

/**
 * Another user of the machine who listens on a port as soon as it is free, and pretends to be the server that clients
 * expect.
 */
class Squatter {
  received = '';

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        this.received += chunk.toString('latin1');
        if (chunk.includes('PING')) socket.write('PONG\r\n');
      });
      socket.write(`INFO {"server_id":"X","version":"2.10.27","headers":true,"jetstream":true,"nonce":"abc"}\r\n`);
    });
  }

  static async on(port: number | undefined): Promise<Squatter> {
    const server = createServer();
    const squatter = new Squatter(server);
    const listens = (): Promise<boolean> =>
      new Promise((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(port, '127.0.0.1', () => resolve(true));
      });
    while (!(await listens())) server.removeAllListeners('error').removeAllListeners('listening');
    return squatter;
  }

  close(): void {
    this.server.close();
  }
}
