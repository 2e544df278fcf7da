import { createLogger } from '@ringdown/observability';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { startPostgresServer, type PostgresProcess } from '../src/doors/database.js';

const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

/** Repeats a query until the server accepts it. */
async function queryAgain(url: string, sql: string): Promise<unknown[]> {
  for (;;) {
    try {
      return await query(url, sql);
    } catch {
      await sleep(50);
    }
  }
}

/** Ids of processes with that working directory. */
function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(join('/proc', pid, 'cwd')) === folder;
    } catch {
      // It has ended.
      return false;
    }
  });
}

describe('PostgreSQL as a child process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-postgres-'));
  const home = join(folder, 'database');
  let server: PostgresProcess;

  const start = (at = home): Promise<PostgresProcess> => startPostgresServer({ folder: at, logger, sync: false });

  beforeAll(async () => {
    // As a run leaves it that was killed while it made the files.
    mkdirSync(join(home, 'postgresql-18.making', 'base'), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, 'postgresql-18.making', 'PG_VERSION'), '18\n');
    server = await start();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('gives services a database of their own, and no rights of a superuser', async () => {
    expect(
      await query(server.url, "select current_user::text as role, current_setting('is_superuser') as super"),
    ).toEqual([{ role: 'ringdown', super: 'off' }]);
    await expect(query(server.url, "select pg_read_file('PG_VERSION')")).rejects.toThrow('permission denied');
    await query(server.url, 'create extension if not exists pg_trgm');
  });

  it('is reached by this user with a password through a folder, and from no network', async () => {
    expect(await query(server.url, "select current_setting('listen_addresses') as addresses")).toEqual([
      { addresses: '' },
    ]);
    const modes = ['', 'postgresql-18', 'socket', 'lib'].map((name) => statSync(join(home, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o700]);
    expect(statSync(join(home, 'ringdown.password')).mode & 0o777).toBe(0o600);
    const wrong = new URL(server.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  it('checks its pages, sorts by code, and finds letters of all languages', async () => {
    const sql = `select current_setting('data_checksums') as checksums, lower('Ä') as lower, 'Z' < 'a' as "byCode",
      cardinality(show_trgm('Ähre')) as umlauts`;
    expect(await query(server.url, sql)).toEqual([{ checksums: 'on', lower: 'ä', byCode: true, umlauts: 5 }]);
  });

  it('keeps committed data, and starts again at the same address, when it is killed while a query runs', async () => {
    await query(server.url, 'create table kept (a int)');
    await query(server.url, 'insert into kept values (7)');
    const { pid = 0 } = server;
    // It notices the end of its server only between two rows, of which it sends none.
    const endless = query(server.url, 'select count(*) from generate_series(1, 1000000000000)').then(
      () => 'an answer',
      () => 'an error',
    );
    process.kill(pid, 'SIGKILL');
    expect(await queryAgain(server.url, 'select a from kept')).toEqual([{ a: 7 }]);
    expect(await endless).toBe('an error');
    expect(server.pid).not.toBe(pid);
  });

  it('keeps committed data, and its process, when a process of one connection is killed', async () => {
    // It answers before it is known to be ready.
    while (server.state.restarts === 0) await sleep(10);
    const { pid } = server;
    const client = new Client({ connectionString: server.url });
    const lost = new Promise((resolve) => client.once('error', resolve));
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      'insert into kept values (9) returning pg_backend_pid() as pid',
    );
    const killed = rows[0]?.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await lost;
    expect(await queryAgain(server.url, 'delete from kept where a = 9 returning a')).toEqual([{ a: 9 }]);
    expect(server.pid).toBe(pid);
    expect(server.state).toEqual({ restarts: 1, restartedAt: expect.any(Date), problem: undefined });
  });

  it.each(['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)('keeps committed data when %s stops it', async (signal) => {
    await query(server.url, 'insert into kept values (8)');
    await server.stop(signal);
    await expect(query(server.url, 'select 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    server = await start();
    expect(await query(server.url, 'delete from kept where a = 8 returning a')).toEqual([{ a: 8 }]);
  });

  it('leaves no process when it is killed while a query runs', async () => {
    const endless = query(server.url, 'select count(*) from generate_series(1, 1000000000000)').catch(() => undefined);
    while (processesIn(join(home, 'postgresql-18')).length < 2) await sleep(10);
    await server.stop('SIGKILL');
    expect(processesIn(join(home, 'postgresql-18'))).toEqual([]);
    await endless;
    server = await start();
  });

  it('starts where the numbers of killed processes are those of others now', async () => {
    await server.stop('SIGKILL');
    writeFileSync(join(home, 'postgresql-18', 'postmaster.pid'), `${process.ppid}\n${join(home, 'postgresql-18')}\n`);
    writeFileSync(join(home, 'socket', '.s.PGSQL.5432.lock'), `${process.ppid}\n`);
    server = await start();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts in a folder whose path is too long for a socket', async () => {
    const long = await start(join(folder, 'l'.repeat(90)));
    expect(await query(long.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    // As a program does that cleans up temporary files.
    const sockets = new URL(long.url).searchParams.get('host') ?? '';
    rmSync(sockets, { recursive: true });
    process.kill(long.pid ?? 0, 'SIGKILL');
    expect(await queryAgain(long.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await long.stop();
    expect(existsSync(sockets)).toBe(false);
  });

  it('starts in a folder whose path has commas and quotes, and names one in which it cannot find its libraries', async () => {
    const odd = await start(join(folder, 'a, "b" = c'));
    expect(await query(odd.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await odd.stop();
    await expect(start(join(folder, 'a:b'))).rejects.toThrow(/^the folder of the database \S+a:b has a colon [^\n]*$/);
  });

  it('starts at once when a start was killed that still makes the files', async () => {
    const killed = join(folder, 'killed');
    const program = fileURLToPath(new URL('postgres-process.js', import.meta.url));
    const first = spawn(process.execPath, [program, killed], { stdio: 'ignore' });
    const making = join(killed, 'postgresql-18.making', 'global', 'pg_control');
    while (!existsSync(making)) await sleep(1);
    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
    const second = await start(killed);
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  it('runs as the owner of its folder when root starts it', async () => {
    const nobody = 65_534;
    const owned = join(folder, 'owned');
    mkdirSync(owned, { mode: 0o700 });
    chownSync(owned, nobody, nobody);
    const first = await start(owned);
    expect(statSync(`/proc/${first.pid}`).uid).toBe(nobody);
    await first.stop();
    const files = readdirSync(join(owned, 'postgresql-18'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => statSync(join(owned, 'postgresql-18', name)).uid !== nobody)).toEqual([]);
    // That user can start it, too, and replaces this folder then.
    for (const name of ['lib', 'postgres.password', 'ringdown.password'])
      expect([name, statSync(join(owned, name)).uid]).toEqual([name, nobody]);
    await (await start(owned)).stop();
  });

  it('starts in a copy whose folders others may read', async () => {
    await server.stop();
    chmodSync(join(home, 'postgresql-18'), 0o755);
    server = await start();
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts where user namespaces are forbidden', async () => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const environments = join(folder, 'environments');
    const path = process.env['PATH'];
    const setpriv = `#!/bin/sh\nenv >> ${environments}\nPATH="${path}" exec setpriv "$@"\n`;
    writeFileSync(join(programs, 'setpriv'), setpriv, { mode: 0o755 });
    process.env['PATH'] = `${programs}:${path}`;
    await (await start(join(folder, 'other'))).stop();
    const other = await start(join(folder, 'other')).finally(() => (process.env['PATH'] = path));
    expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    // Root loads no library that PostgreSQL could have written.
    expect(statSync(join(folder, 'other', 'lib')).uid).toBe(process.getuid?.());
    expect(readFileSync(environments, 'utf8')).toContain('PATH=');
    expect(readFileSync(environments, 'utf8')).not.toContain(join(folder, 'other', 'lib'));
    await other.stop();
  });

  it('reports in one line what PostgreSQL says when it cannot start', async () => {
    const starting = startPostgresServer({
      folder: join(folder, 'wrong'),
      logger,
      settings: { shared_buffers: 'many' },
    });
    await expect(starting).rejects.toThrow(/^database ended at start: .*invalid value for parameter "shared_buffers"/);
  });
});
