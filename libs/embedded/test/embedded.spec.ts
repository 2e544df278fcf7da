import { createLogger } from '@ringdown/observability';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { embeddedNatsUrl, natsServerMark, startNatsServer } from '../src/doors/bus.js';
import { startDatabase } from '../src/doors/database.js';
import { endLeftover } from '../src/leftover.js';
import { findNatsServer } from '../src/nats-program.js';

const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

function alive(pid: number | undefined): boolean {
  return pid !== undefined && existsSync(`/proc/${pid}`);
}

/** A Node process with an argument that has no effect. */
function idleNode(argument: string): ChildProcess {
  const args = ['-e', 'setInterval(() => {}, 1000)', argument];
  return spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

describe('embedded servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-embedded-'));
  /** Of the database: the first start creates it, which takes some time. */
  const home = join(folder, 'db');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('keep committed data after a crash', async () => {
    const first = await startDatabase({ folder: home, logger });
    await query(first.url, 'CREATE TABLE t (a int)');
    await query(first.url, 'INSERT INTO t VALUES (7)');
    await first.stop('SIGKILL');
    const second = await startDatabase({ folder: home, logger });
    expect(await query(second.url, 'SELECT a FROM t')).toEqual([{ a: 7 }]);
    await second.stop();
    expect(alive(second.pid)).toBe(false);
  });

  it('do not open a database of an earlier version, and leave it as it is', async () => {
    const old = join(folder, 'old');
    mkdirSync(join(old, 'pglite', 'base'), { recursive: true });
    await expect(startDatabase({ folder: old, logger })).rejects.toThrow(
      /^\/.*\/old\/pglite is a database of an earlier version .* Make a backup with that version, then restore it with this one [^\n]*$/,
    );
    expect(readdirSync(old)).toEqual(['pglite']);
    expect(readdirSync(join(old, 'pglite'))).toEqual(['base']);
  });

  it('end a database that does not respond, and start it again at the same address', async () => {
    const database = await startDatabase({ folder: home, logger });
    const { pid = 0 } = database;
    process.kill(pid, 'SIGSTOP');
    while (database.state.restarts === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    while (!(await query(database.url, 'select').then(Boolean, () => false)))
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(alive(pid)).toBe(false);
    await database.stop();
  });

  const files = (home: string, ...names: string[]): string => join(home, 'postgresql-18', ...names);
  const WAY_OUT = 'The way out is in docs/guides/backup.md, "When files of the database are damaged"';

  it.each<[string, (home: string) => void]>([
    ['pg_control', (at) => writeFileSync(files(at, 'global', 'pg_control'), Buffer.alloc(8_192, 7))],
    ['missing pg_control', (at) => rmSync(files(at, 'global', 'pg_control'))],
    ['cut-off pg_control', (at) => truncateSync(files(at, 'global', 'pg_control'), 100)],
    ['missing log', (at) => rmSync(files(at, 'pg_wal'), { recursive: true })],
    [
      'empty log',
      (at) =>
        readdirSync(files(at, 'pg_wal')).forEach((name) => rmSync(files(at, 'pg_wal', name), { recursive: true })),
    ],
    ['list of tables', (at) => writeFileSync(files(at, 'global', 'pg_filenode.map'), Buffer.alloc(512, 7))],
  ])('report a database with a damaged %s in one line, with the way out', async (_what, damage) => {
    const damaged = join(folder, 'damaged');
    cpSync(home, damaged, { recursive: true });
    damage(damaged);
    await expect(startDatabase({ folder: damaged, logger })).rejects.toThrow(
      new RegExp(
        `^database (?:ended at start|does not work): [^\\n]*\\. Files in ${files(damaged)} are damaged or missing; nothing was changed\\. ${WAY_OUT}$`,
      ),
    );
    rmSync(damaged, { recursive: true });
  });

  it('report files that were damaged while they ran, with the way out, and run when these are back', async () => {
    const database = await startDatabase({ folder: home, logger });
    const control = files(home, 'global', 'pg_control');
    renameSync(control, `${control}.away`);
    process.kill(database.pid ?? 0, 'SIGKILL');
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 100));
    };
    await until(() => database.state.problem?.includes(WAY_OUT) ?? false);
    renameSync(`${control}.away`, control);
    await until(() => database.state.restarts === 1);
    expect(await query(database.url, 'select a from t')).toEqual([{ a: 7 }]);
    await database.stop();
  });

  it('end a process that an earlier run left behind', async () => {
    mkdirSync(home, { recursive: true });
    const left = idleNode(join(home, 'postgresql-18'));
    writeFileSync(join(home, 'database.pid'), String(left.pid));
    const gone = once(left, 'exit');
    const database = await startDatabase({ folder: home, logger });
    await gone;
    expect(alive(left.pid)).toBe(false);
    await database.stop();
  });

  it('end a nats-server whose process id was never written down', async () => {
    const bus = join(folder, 'left-bus');
    mkdirSync(bus);
    writeFileSync(join(bus, 'nats.conf'), 'listen: "127.0.0.1:-1"');
    const left = spawn((await findNatsServer())?.command ?? '', ['--config', join(bus, 'nats.conf')], {
      stdio: 'pipe',
    });
    const other = idleNode(join(bus, 'nats.conf'));
    const gone = once(left, 'exit');
    await once(left.stderr, 'data');
    expect(await endLeftover(natsServerMark(bus))).toBe(left.pid);
    await gone;
    expect(alive(other.pid)).toBe(true);
    other.kill('SIGKILL');
    await once(other, 'exit');
  });

  it('do not end another process that has the same process id now', async () => {
    mkdirSync(home, { recursive: true });
    const other = idleNode(join(folder, 'of-somebody-else'));
    writeFileSync(join(home, 'database.pid'), String(other.pid));
    const database = await startDatabase({ folder: home, logger });
    await database.stop();
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    other.kill('SIGKILL');
    await once(other, 'exit');
  });

  it('accept several clients at the same time', async () => {
    const database = await startDatabase({ folder: home, logger });
    const clients = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = new Client({ connectionString: database.url });
        await client.connect();
        return client;
      }),
    );
    const answers = await Promise.all(
      clients.map(async (client, i) => {
        await client.query('BEGIN');
        const { rows } = await client.query<{ n: number }>('SELECT $1::int AS n', [i]);
        await client.query('COMMIT');
        return rows[0]?.n;
      }),
    );
    expect(answers).toEqual([0, 1, 2, 3, 4]);
    await Promise.all(clients.map((client) => client.end()));
    await database.stop();
  });

  it('restart when they die', async () => {
    const home = join(folder, 'nats');
    const nats = await startNatsServer({ folder: home, logger });
    const { pid } = nats;
    const address = nats.urlOf('collector');
    const before = address.current;
    const moved: string[] = [];
    address.onMove(() => moved.push(address.current));
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    while (moved.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const [gone = '', now = ''] = moved;
    // First at no address, then at another port, with another key.
    expect(new URL(gone).port).toBe('1');
    const [old, next] = [new URL(before), new URL(now)];
    expect(next.port).not.toBe(old.port);
    expect(next.password).not.toBe(old.password);
    const authenticator = nkeyAuthenticator(new TextEncoder().encode(next.password));
    const connection = await connect({ servers: next.host, authenticator });
    await connection.close();
    // Commands started from now on find the new server, too.
    expect(embeddedNatsUrl(home)).toBe(nats.urlOf('aggregator').current);
    await nats.stop();
    expect(alive(nats.pid)).toBe(false);
  });

  it('store keys for this user only, and for commands only while they run', async () => {
    const home = join(folder, 'mode');
    const nats = await startNatsServer({ folder: home, logger });
    for (const file of ['nats.conf', 'commands.url']) expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
    expect(embeddedNatsUrl(home)).toBe(nats.urlOf('aggregator').current);
    await nats.stop();
    expect(embeddedNatsUrl(home)).toBeUndefined();
  });
});
