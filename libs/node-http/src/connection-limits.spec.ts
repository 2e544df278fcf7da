import { createLogger, Metrics } from '@ringdown/observability';
import type { Network } from '@ringdown/settings';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { ConnectionLimits } from './connection-limits.js';
import { listenOn } from './listen.js';

const LOOPBACK: Network = { address: '127.0.0.0', prefix: 8, family: 'ipv4' };

describe('limits of connections', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  let metrics: Metrics;

  beforeEach(() => {
    metrics = new Metrics();
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  async function portWith(maxConnections: number, trustedProxies: readonly Network[] = []): Promise<number> {
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    const limits = new ConnectionLimits({ maxConnections, connectionsPerAddress: 2, trustedProxies, logger, metrics });
    const server = createServer();
    limits.follow(server);
    // A connection within the limits gets a greeting.
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      if (!socket.destroyed) socket.write('x');
    });
    servers.push(server);
    return listenOn(server, 0, '127.0.0.1');
  }

  async function isTaken(port: number, localAddress: string): Promise<boolean> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
  }

  it('close further connections of one address until one of its connections has ended', async () => {
    const port = await portWith(100);
    const from = async (address: string): Promise<boolean> => isTaken(port, address);
    expect([await from('127.0.0.2'), await from('127.0.0.2'), await from('127.0.0.2')]).toEqual([true, true, false]);
    expect(await from('127.0.0.3')).toBe(true);
    expect(await metrics.total('http_connections_refused_total', { of: 'address' })).toBe(1);
    sockets[0]?.destroy();
    while (!(await from('127.0.0.2'))) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('do not limit the connections of a trusted proxy by address', async () => {
    const port = await portWith(100, [LOOPBACK]);
    for (let i = 0; i < 5; i++) expect(await isTaken(port, '127.0.0.2')).toBe(true);
  });

  it('close further connections over the total limit, also those of trusted proxies', async () => {
    const port = await portWith(3, [LOOPBACK]);
    for (let i = 0; i < 3; i++) expect(await isTaken(port, '127.0.0.2')).toBe(true);
    expect(await isTaken(port, '127.0.0.4')).toBe(false);
    expect(await metrics.total('http_connections_refused_total', { of: 'all' })).toBe(1);
  });
});
