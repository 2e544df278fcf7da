import { createLogger } from '@ringdown/observability';
import { connect } from '@nats-io/transport-node';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { listening } from '../src/free-port.js';
import { findNatsServer, startDatabase, startNatsServer } from '../src/index.js';

const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

function alive(pid: number | undefined): boolean {
  return pid !== undefined && existsSync(`/proc/${pid}`);
}

/** A process of Node with an argument that does nothing. */
function idleNode(argument: string): ChildProcess {
  const args = ['-e', 'setInterval(() => {}, 1000)', argument];
  return spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}

describe('embedded servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-embedded-'));
  /** Of the database: the first start makes it, and takes its time. */
  const home = join(folder, 'db');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('keep what was committed through a crash', async () => {
    const first = await startDatabase({ folder: home, logger });
    await query(first.url, 'CREATE TABLE t (a int)');
    await query(first.url, 'INSERT INTO t VALUES (7)');
    await first.stop('SIGKILL');
    const second = await startDatabase({ folder: home, logger });
    expect(await query(second.url, 'SELECT a FROM t')).toEqual([{ a: 7 }]);
    await second.stop();
    expect(alive(second.pid)).toBe(false);
  });

  it('end a process that an earlier run left behind', async () => {
    mkdirSync(home, { recursive: true });
    const left = idleNode(join(home, 'pglite'));
    writeFileSync(join(home, 'database.pid'), String(left.pid));
    const gone = once(left, 'exit');
    const database = await startDatabase({ folder: home, logger });
    await gone;
    expect(alive(left.pid)).toBe(false);
    await database.stop();
  });

  it('leave a process alone that was given the same number since', async () => {
    mkdirSync(home, { recursive: true });
    const other = idleNode(join(folder, 'of-somebody-else'));
    writeFileSync(join(home, 'database.pid'), String(other.pid));
    const database = await startDatabase({ folder: home, logger });
    await database.stop();
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
    other.kill('SIGKILL');
    await once(other, 'exit');
  });

  it('let several clients in at once', async () => {
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

  it('start again by themselves when they die', async () => {
    const nats = await startNatsServer({ folder: join(folder, 'nats'), logger });
    const before = nats.pid;
    if (before !== undefined) process.kill(before, 'SIGKILL');
    while (nats.pid === before) await new Promise((resolve) => setTimeout(resolve, 20));
    await listening(Number(new URL(nats.url).port));
    const connection = await connect({
      servers: nats.url.replace(/\/\/.*@/, '//'),
      user: 'ringdown',
      pass: new URL(nats.url).password,
    });
    await connection.close();
    await nats.stop();
    expect(alive(nats.pid)).toBe(false);
  });

  it('keep their password for this user alone', async () => {
    const nats = await startNatsServer({ folder: join(folder, 'mode'), logger });
    expect(statSync(join(folder, 'mode', 'nats.conf')).mode & 0o777).toBe(0o600);
    await nats.stop();
  });

  it('are found on the PATH or where Debian puts servers', () => {
    expect(findNatsServer()).toMatch(/nats-server$/);
  });
});
