import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { CallQueries } from '../src/store/calls/call-queries.js';
import { Database } from '../src/store/database/database.js';
import { readMigrations, type Migration } from '../src/store/database/migration-files.js';
import { migrate } from '../src/store/database/migrations.js';

async function read(database: Database, sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await database.read((transaction) => transaction.query<Record<string, unknown>>(sql))).rows;
}

describe('the database of an older program', () => {
  let server: TestDatabase;
  let database: Database;
  let migrations: readonly Migration[];

  beforeAll(async () => {
    migrations = await readMigrations();
    server = await startPostgres({ schema: 'none' });
    database = new Database({ url: server.url, poolSize: 2, logger: quietLogger() });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it('is migrated by its owner, who is not a superuser', async () => {
    const role = "select current_setting('is_superuser') as superuser, pg_get_userbyid(datdba) = current_user as owner";
    const rows = await read(database, `${role} from pg_database where datname = current_database()`);
    expect(rows).toEqual([{ superuser: 'off', owner: true }]);
  });

  it('has no calls in progress before it is migrated', async () => {
    expect(await new CallQueries(database).inProgressAfter('', 1)).toEqual([]);
  });

  it('keeps its content when it is migrated, and its calls are marked to be rebuilt', async () => {
    await migrate(database, migrations.slice(0, 1));
    await database.write(async (transaction) => {
      await transaction.query(
        `insert into calls (call_key, state, verdict, began_at, version, front_ends, parties, call)
         values ('c1', 'ended', 'unknown', '2026-03-02T10:00:00Z', 1, '{fe1}', '{anna@example.test}',
             '{"callId":"C1","duration":{"seconds":12.5,"clock":"frontEnd"}}'),
           ('c2', 'active', 'bad', '2026-03-02T10:00:00Z', 1, '{fe1}', '{}', '{"callId":"C2","duration":null}')`,
      );
      await transaction.query(
        `insert into records (call_key, digest, id, size, received_at, kinds, front_ends, content, xml)
         values ('c1', 'd1', 'i1', 4, '2025-12-24T23:59:59.9Z', '{ended}', '{fe1}', '{"b":1,"a":2}', '<x/>'),
           ('c1', 'd2', 'i2', 4, '2025-12-26T00:00:00Z', '{ended}', '{fe1}', '{}', '<y/>')`,
      );
    });
    await migrate(database, migrations.slice(0, 2));
    await database.write((transaction) =>
      transaction.query(`update calls set conversation_key = 'Con1', stale = false where call_key = 'c1'`),
    );
    await migrate(database);
    await migrate(database);
    expect(
      await read(
        database,
        `select call_key, state, stale, revisions, duration_seconds, search_keys, waits_for, call->>'callId' as id
         from calls order by call_key`,
      ),
    ).toEqual([
      {
        call_key: 'c1',
        state: 'ended',
        stale: true,
        revisions: 0,
        duration_seconds: 12.5,
        search_keys: ['frontEnd:fe1', 'user:anna@example.test', 'conversation:Con1'],
        waits_for: null,
        id: 'C1',
      },
      expect.objectContaining({ call_key: 'c2', duration_seconds: -1, search_keys: ['frontEnd:fe1'] }),
    ]);
    expect(
      await read(database, 'select stored_on::text, digest, xml, content::text from records order by digest'),
    ).toEqual([
      { stored_on: '2025-12-24', digest: 'd1', xml: '<x/>', content: '{"b":1,"a":2}' },
      { stored_on: '2025-12-24', digest: 'd2', xml: '<y/>', content: '{}' },
    ]);
  });

  it('is rejected and not changed when it is newer than the program', async () => {
    await expect(migrate(database, migrations.slice(0, 1))).rejects.toThrow(
      `the schema has version ${migrations.length}, the program supports 1`,
    );
  });
});

describe('a long history of an older program', () => {
  /** The schema of c8ee6b49 and what came until calls were rebuilt for the last time. */
  const BEFORE = 40;
  const CALLS = 5_000;
  let server: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await startPostgres({ schema: 'none' });
    database = new Database({ url: server.url, poolSize: 2, logger: quietLogger() });
    await migrate(database, (await readMigrations()).slice(0, BEFORE));
    await database.write(async (transaction) => {
      await transaction.query(
        `insert into calls (call_key, stored_on, state, verdict, began_at, version, duration_seconds, front_ends, search_keys, addresses, call, revisions, stale)
         select md5(n::text), '2026-03-02', 'ended', 'good', '2026-03-02T10:00:00Z', 1, 60, '{fe1}', '{}', '{}', '{"callId":"C1"}', 0, false
         from generate_series(1, ${CALLS}) as n`,
      );
      await transaction.query('analyze calls');
    });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it('is marked to be rebuilt without writing its calls, and its pages are found in the order of an index', async () => {
    const places = 'select call_key, ctid::text as place from calls order by call_key';
    const before = await read(database, places);
    await migrate(database);
    expect(await read(database, places)).toEqual(before);
    expect(await read(database, 'select count(*)::integer as stale from calls where stale')).toEqual([
      { stale: CALLS },
    ]);
    const page = "explain select call_key from calls where stale and call_key > '7' order by call_key limit 50";
    const plan = (await read(database, page)).map((line) => String(line['QUERY PLAN'])).join('\n');
    expect(plan).toContain('Index Only Scan');
    expect(plan).not.toContain('Sort  ');
  });
});
