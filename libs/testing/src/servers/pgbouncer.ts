import { freePort } from '@ringdown/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { findProgram } from '../find-program.js';
import { serverAccount, type PostgresServer } from './postgres-server.js';

const ADVICE = 'these tests need a real pooler. Install it (Debian: apt-get install pgbouncer; it need not run)';

/** Who keeps a connection of the database: one client until it leaves, or one transaction after another. */
export type PoolMode = 'session' | 'transaction';

/** A real PgBouncer in front of a PostgreSQL server. */
export class Pgbouncer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** `connections`: how many it opens to the server. */
  static async start(server: PostgresServer, mode: PoolMode, connections: number): Promise<Pgbouncer> {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-pgbouncer-'));
    const port = await freePort();
    const account = serverAccount();
    const [host, serverPort] = server.address.split(':');
    const lines = [
      '[databases]',
      `postgres = host=${host} port=${serverPort} user=ringdown`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      `default_pool_size = ${connections}`,
    ];
    writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
    const child = spawn(findProgram('pgbouncer', ADVICE), ['pgbouncer.ini'], {
      ...account,
      cwd: folder,
      stdio: 'ignore',
    });
    const made = new Pgbouncer(child, folder, port);
    await eventually('PgBouncer to listen', () => made.listens());
    return made;
  }

  get url(): string {
    return `postgres://ringdown@127.0.0.1:${this.port}/postgres`;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private listens(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error('PgBouncer ended at its start');
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      const end = (isUp: boolean): void => {
        socket.destroy();
        resolve(isUp);
      };
      socket.on('connect', () => end(true)).on('error', () => end(false));
    });
  }
}
