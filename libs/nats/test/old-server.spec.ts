import { loggedLines } from '@ringdown/testing/logged-lines';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Bus } from '../src/index.js';

const WARN = 40;

describe('a connection to a nats-server', () => {
  const started = new Started();
  let nats: TestNats;

  beforeAll(async () => {
    nats = started.add(await startNats());
  });
  afterAll(() => started.stopAll());

  /** The URL of the server behind a proxy that adds facts to its greeting. */
  async function greetingWith(facts: string): Promise<string> {
    const real = new URL(nats.url);
    const sockets = new Set<Socket>();
    const proxy = createServer((client) => {
      const server = connect(Number(real.port), real.hostname);
      for (const socket of [client, server]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy()).on('close', () => [client, server].forEach((end) => end.destroy()));
      }
      server.once('data', (greeting: Buffer) => {
        // A JSON parser uses the last of two members with the same name.
        client.write(greeting.toString().replace(/\} *\r\n/, `,${facts}}\r\n`));
        server.pipe(client);
      });
      client.pipe(server);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    started.add({
      stop: async () => {
        for (const socket of sockets) socket.destroy();
        proxy.close();
        await once(proxy, 'close');
      },
    });
    const address = proxy.address();
    const url = new URL(nats.url);
    // If the server runs in a container, the address that it knows is a different one.
    url.hostname = '127.0.0.1';
    url.port = typeof address === 'object' ? String(address?.port) : '';
    return url.href;
  }

  it('succeeds with a warning when the server is 2.9 and runs alone', async () => {
    const { logger, lines } = loggedLines();
    const bus = await Bus.connect({ url: await greetingWith('"version":"2.9.10"'), name: 'test', logger });
    started.add({ stop: () => bus.close() });
    const warnings = lines.filter(({ level }) => level === WARN).map(({ msg }) => msg);
    expect(warnings).toEqual([
      expect.stringMatching(/^nats-server 2\.9\.10 can lose acknowledged records .*2\.10 or later/),
    ]);
  });

  it('is rejected when the server is 2.9 and belongs to a cluster', async () => {
    const { logger } = loggedLines();
    const url = await greetingWith('"version":"2.9.10","cluster":"calls"');
    await expect(Bus.connect({ url, name: 'test', logger })).rejects.toThrow('nats-server 2.9.10 of a cluster');
  });

  it('succeeds without a warning when the server is 2.10', async () => {
    const { logger, lines } = loggedLines();
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger });
    started.add({ stop: () => bus.close() });
    expect(lines).toEqual([]);
  });
});
