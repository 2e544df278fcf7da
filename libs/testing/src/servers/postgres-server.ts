import { freePort } from '@ringdown/embedded';
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../eventually.js';

const run = promisify(execFile);
const OWNER = 'ringdown';

/** PostgreSQL does not run as root: then it runs as the user that its package has created. */
interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** A real PostgreSQL server for one test file: always a process of this machine, from the installed programs. */
export class PostgresServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    private readonly account: Account,
    readonly port: number,
  ) {}

  /** A primary with an empty database. */
  static async start(): Promise<PostgresServer> {
    const server = await PostgresServer.prepared();
    await server.command('initdb', '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--no-sync', '-D', server.data);
    const lines = ['wal_level = replica', 'hot_standby = on', 'max_wal_senders = 8', "unix_socket_directories = ''"];
    appendFileSync(join(server.data, 'postgresql.conf'), `${lines.join('\n')}\n`);
    await server.launch();
    return server;
  }

  /** A standby that follows this server as it is now. */
  async standby(): Promise<PostgresServer> {
    const standby = await PostgresServer.prepared();
    await standby.follow(this);
    return standby;
  }

  /** Becomes a standby of that server, without its own data: a killed primary, when its standby was promoted. */
  async follow(primary: PostgresServer): Promise<void> {
    rmSync(this.data, { recursive: true, force: true });
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', OWNER];
    await this.command('pg_basebackup', ...from, '-R', '-X', 'stream', '-c', 'fast', '-D', this.data);
    await this.launch();
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `postgres://${OWNER}@${this.address}/postgres`;
  }

  /** Makes a standby the primary of a new timeline. */
  async promote(): Promise<void> {
    await this.command('pg_ctl', 'promote', '-w', '-D', this.data);
  }

  /** Whether transactions can only read from now on, as on a server whose operator protects it. */
  async setReadOnly(readOnly: boolean): Promise<void> {
    const value = readOnly ? 'on' : 'off';
    await this.query(`alter system set default_transaction_read_only = ${value}`);
    await this.query('select pg_reload_conf()');
    // A new connection has what the server has read, which has told it to all others before.
    const isRead = async (): Promise<boolean> => (await this.query('show default_transaction_read_only')) === value;
    await eventually('PostgreSQL to read its configuration', isRead);
  }

  /** Ends it like a crash; committed data is kept. */
  async kill(): Promise<void> {
    // Its processes share no memory any more when the first of them is gone.
    await this.end('SIGQUIT');
  }

  /** Stops what receives the data of a primary, so that this standby falls behind. */
  freeze(): void {
    for (const pid of this.receivers()) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.receivers()) process.kill(pid, 'SIGCONT');
  }

  private receivers(): number[] {
    const pid = this.child?.pid ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('walreceiver'));
  }

  /** Starts a killed server at the same address with its data. */
  async launch(): Promise<void> {
    const options = ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', `port=${this.port}`];
    const child = spawn(join(this.programs, 'postgres'), ['-D', this.data, ...options], {
      ...this.account,
      cwd: this.folder,
      stdio: 'ignore',
    });
    this.child = child;
    const isReady = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error('PostgreSQL ended at its start');
      return this.command('pg_isready', '-q', '-h', '127.0.0.1', '-p', String(this.port)).then(
        () => true,
        () => false,
      );
    };
    await eventually('PostgreSQL to be ready', isReady, 20_000);
  }

  async stop(): Promise<void> {
    await this.end('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  private async query(statement: string): Promise<string> {
    return this.command('psql', '-X', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', statement, this.url);
  }

  /** What it writes. */
  private async command(name: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(join(this.programs, name), args, { ...this.account, cwd: this.folder });
    return stdout.trim();
  }

  private static async prepared(): Promise<PostgresServer> {
    const programs = findPostgres();
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-postgres-'));
    const account = serverAccount();
    if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
    return new PostgresServer(programs, folder, account, await freePort());
  }
}

function findPostgres(): string {
  const folders = [...globSync('/usr/lib/postgresql/*/bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders.find((folder) => existsSync(join(folder, 'pg_isready')) && existsSync(join(folder, 'initdb')));
  if (found !== undefined) return found;
  throw new Error(
    'these tests need a real PostgreSQL. Install it (Debian: apt-get install postgresql; it need not run)',
  );
}

/** The user that servers of Debian's packages run as when the tests run as root. */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' })));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}
