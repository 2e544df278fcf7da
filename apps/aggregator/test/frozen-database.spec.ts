import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Database, DatabaseUnavailable } from '../src/store/database/database.js';

/** A proxy between two ends that both stay open, like a firewall that has forgotten their connection. */
class SilentHop {
  private readonly sockets: Socket[] = [];
  private silent = false;

  private constructor(
    private readonly server: Server,
    private readonly to: URL,
  ) {
    server.on('connection', (near: Socket) => this.bridge(near));
  }

  static async start(url: string): Promise<SilentHop> {
    const hop = new SilentHop(createServer(), new URL(url));
    await once(hop.server.listen(0, '127.0.0.1'), 'listening');
    return hop;
  }

  get url(): string {
    const url = new URL(this.to);
    url.searchParams.delete('host');
    const { port } = this.server.address() as AddressInfo; // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
    url.host = `127.0.0.1:${port}`;
    return url.href;
  }

  /** From now on no data is forwarded. */
  fallSilent(): void {
    this.silent = true;
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private bridge(near: Socket): void {
    const folder = this.to.searchParams.get('host');
    // The socket path that PostgreSQL clients use for a server on the same machine.
    const far =
      folder === null
        ? connect(Number(this.to.port), this.to.hostname)
        : connect(join(folder, `.s.PGSQL.${this.to.port || 5432}`));
    this.sockets.push(near, far);
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => this.silent || other.write(data)).on('error', () => other.destroy());
    }
  }
}

describe('a database that stops responding', () => {
  let server: TestDatabase;
  let hop: SilentHop;
  let database: Database;

  beforeAll(async () => {
    server = await startPostgres();
    hop = await SilentHop.start(server.url);
    database = new Database({ url: hop.url, poolSize: 2, logger: quietLogger() });
  });
  afterAll(async () => {
    hop.stop();
    await database.close();
    await server.stop();
  });

  it('does not keep a client waiting longer than the limit for a query', async () => {
    await database.check();
    hop.fallSilent();
    const began = performance.now();
    await expect(database.check()).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(performance.now() - began).toBeLessThan(25_000);
  });
});
