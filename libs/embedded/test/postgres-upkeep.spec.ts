import { createLogger } from '@ringdown/observability';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgresServer, type PostgresProcess } from '../src/doors/database.js';
import { memorySettings } from '../src/postgres/memory-settings.js';

const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
/** Only sooner than by default: each minute, and from 50 dead rows on. */
const SOON = { autovacuum_naptime: '1s', autovacuum_vacuum_threshold: '1', log_autovacuum_min_duration: '0' };
const ENDLESS = 'select count(*) from generate_series(1, 1000000000000)';

describe('PostgreSQL with the settings of a small machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-upkeep-'));
  let server: PostgresProcess;
  let client: Client;

  beforeAll(async () => {
    const settings = { ...memorySettings({ megabytes: 64, poolSize: 4 }), ...SOON };
    server = await startPostgresServer({ folder, logger, sync: false, settings });
    client = new Client({ connectionString: server.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  async function rows(sql: string, on = client): Promise<readonly unknown[]> {
    return (await on.query<Record<string, unknown>>(sql)).rows;
  }

  it('has autovacuum on, which nothing of these settings turns off', async () => {
    const named = "name in ('autovacuum', 'track_counts', 'autovacuum_max_workers', 'autovacuum_worker_slots')";
    expect(await rows(`select name, setting from pg_settings where ${named} order by name`)).toEqual([
      { name: 'autovacuum', setting: 'on' },
      { name: 'autovacuum_max_workers', setting: '1' },
      { name: 'autovacuum_worker_slots', setting: '1' },
      { name: 'track_counts', setting: 'on' },
    ]);
  });

  it('removes dead rows by itself, and their room is used again', async () => {
    await rows(
      'create table calls_of_before as select n, repeat(md5(n::text), 20) as text from generate_series(1, 5000) n',
    );
    await rows('delete from calls_of_before where n > 100');
    const upkeep =
      "select n_dead_tup::integer as dead, autovacuum_count > 0 as done from pg_stat_user_tables where relname = 'calls_of_before'";
    let found: readonly unknown[] = [];
    do {
      await sleep(100);
      found = await rows(upkeep);
    } while (JSON.stringify(found) !== JSON.stringify([{ dead: 0, done: true }]));
    const size = "select pg_relation_size('calls_of_before') < 500000 as small";
    // The pages at the end of the table are given back; the test before it was vacuumed has 3.5 MB.
    expect(await rows(size)).toEqual([{ small: true }]);
  });

  it('cancels a question that takes longer than its limit, and the process answers the next one', async () => {
    await rows('set statement_timeout = 200');
    await expect(rows(ENDLESS)).rejects.toMatchObject({
      code: '57014',
      message: 'canceling statement due to statement timeout',
    });
    expect(await rows('select 1 as one')).toEqual([{ one: 1 }]);
    expect(
      await rows(
        "select count(*)::integer as busy from pg_stat_activity where query like '%generate_series(1, 1000000000000)%' and state = 'active' and pid <> pg_backend_pid()",
      ),
    ).toEqual([{ busy: 0 }]);
  });

  it('cancels a question of several processes, and leaves none of them', async () => {
    await rows('set statement_timeout = 0');
    await rows('create table large as select n from generate_series(1, 200000) n');
    await rows('analyze large');
    for (const setting of ['parallel_setup_cost = 0', 'parallel_tuple_cost = 0', 'min_parallel_table_scan_size = 0'])
      await rows(`set ${setting}`);
    const plan = JSON.stringify(await rows('explain select count(*) from large a join large b on a.n <> b.n'));
    expect(plan).toContain('Gather');
    await rows('set statement_timeout = 500');
    await expect(rows('select count(*) from large a join large b on a.n <> b.n')).rejects.toMatchObject({
      code: '57014',
    });
    const workers = "select count(*)::integer as workers from pg_stat_activity where backend_type = 'parallel worker'";
    expect(await rows(workers)).toEqual([{ workers: 0 }]);
  });

  it('logs one line while a start waits for the repair of files', async () => {
    const lines: unknown[] = [];
    const noted = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    noted.warn = (line: unknown) => void lines.push(line);
    const home = join(folder, 'repaired');
    await (await startPostgresServer({ folder: home, logger: noted, sync: false })).stop();
    expect(lines).toEqual([]);
    // Its startup process asks an archive for more first, and repeats what is there then.
    writeFileSync(join(home, 'postgresql-18', 'recovery.signal'), '');
    const archive = `test -e asked || { touch asked; sleep 2; }; exit 1`;
    const repaired = await startPostgresServer({
      folder: home,
      logger: noted,
      sync: false,
      settings: { restore_command: archive },
    });
    await repaired.stop();
    expect(lines).toEqual(['the database repairs its files after a crash, which may take minutes; waiting for it']);
  });
});
