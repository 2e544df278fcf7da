import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { keepNewestConnections } from './newest-connections.js';

const MOST = 4;

describe('a server that keeps its newest connections', () => {
  let server: Server;
  let port: number;
  const clients: Socket[] = [];
  /** Answers that have not been given. */
  const waiting: ServerResponse[] = [];

  beforeEach(async () => {
    server = createServer(({ url }, response) => {
      if (url === '/later') waiting.push(response);
      else response.end('ready');
    });
    keepNewestConnections(server, MOST);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.close();
  });

  async function opened(): Promise<Socket> {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    const accepted = once(server, 'connection');
    await Promise.all([once(client, 'connect'), accepted]);
    return client;
  }

  async function probe(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })).text();
  }

  async function openConnections(): Promise<number> {
    return new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  it('answers a probe however many idle connections there are, and closes the oldest of these', async () => {
    const first = await opened();
    const closed = once(first, 'close');
    for (let n = 0; n < 3 * MOST; n++) await opened();
    await closed;
    for (let n = 0; n < 3; n++) expect(await probe()).toBe('ready');
    expect(await openConnections()).toBeLessThanOrEqual(MOST);
  });

  it('closes no connection with a request under way, but the newest one when there are no others', async () => {
    const asking = await Promise.all(Array.from({ length: MOST }, () => opened()));
    const asked = asking.map((client) => {
      client.write('GET /later HTTP/1.1\r\nhost: a\r\n\r\n');
      return once(server, 'request');
    });
    await Promise.all(asked);
    while (waiting.length < MOST) await once(server, 'request');
    const late = await opened();
    await once(late, 'close');
    const answers = asking.map((client) => once(client, 'data'));
    for (const response of waiting.splice(0)) response.end('later');
    for (const [text] of await Promise.all(answers)) expect(String(text)).toContain('later');
  });
});
