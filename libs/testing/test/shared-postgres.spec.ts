import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { startPostgres } from '../src/servers/database.js';
import { eventually } from '../src/eventually.js';
import { Started } from '../src/started.js';

const RUN = pathToFileURL(join(import.meta.dirname, '../../../../scripts/test/shared-postgres.mjs')).href;
/** A run of tests: it starts the server, writes what it gives to jest, and goes on. */
const PROGRAM = `
  const { startSharedPostgres } = await import('${RUN}');
  const { env } = await startSharedPostgres();
  process.stdout.write(env.RINGDOWN_TEST_POSTGRES + '\\n');
  setInterval(() => undefined, 1_000);`;

describe('the PostgreSQL of a run of tests', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-run-'));
  const env = { ...process.env, TMPDIR: folder };
  const run = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

  beforeAll(async () => {
    const [address] = (await once(createInterface({ input: run.stdout }), 'line')) as [string];
    process.env['RINGDOWN_TEST_POSTGRES'] = address;
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function connected(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    started.add({ stop: () => client.end() });
    return client;
  }

  const tablesOf = async (client: Client): Promise<number> =>
    (await client.query("select from pg_class where relname in ('calls', 'mine')")).rowCount ?? 0;

  it('has a database for each call, whose tables and locks no other one sees', async () => {
    const [one, other] = [await startPostgres(), await startPostgres()];
    const clients = [await connected(one.url), await connected(other.url)] as const;
    await clients[0].query('create table mine (a int)');
    expect(await Promise.all(clients.map(tablesOf))).toEqual([2, 1]);
    const locks = clients.map((client) => client.query<{ got: boolean }>('select pg_try_advisory_lock(1) as got'));
    expect((await Promise.all(locks)).map(({ rows }) => rows)).toEqual([[{ got: true }], [{ got: true }]]);
    await Promise.all([one.stop(), other.stop()]);
    await expect(connected(one.url)).rejects.toThrow('does not exist');
  });

  it('has a database without tables for tests of migrations', async () => {
    const database = await startPostgres({ schema: 'none' });
    expect(await tablesOf(await connected(database.url))).toBe(0);
    await database.stop();
  });

  it('is not killed by a file that shares it, but by one that has its own', async () => {
    const shared = await startPostgres();
    await expect(shared.kill()).rejects.toThrow('startPostgres({ own: true })');
    const own = started.add(await startPostgres({ own: true }));
    await (await connected(own.url)).query('create table mine (a int)');
    await own.kill();
    await expect(connected(own.url)).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    await own.restart();
    expect(await tablesOf(await connected(own.url))).toBe(2);
    expect(await tablesOf(await connected(shared.url))).toBe(1);
    await shared.stop();
  });

  it('ends with a run that is killed, and leaves nothing behind', async () => {
    await started.stopAll();
    expect(readdirSync(folder)).not.toEqual([]);
    run.kill('SIGKILL');
    await eventually('the end of the server', () => readdirSync(folder).length === 0);
  });
});
