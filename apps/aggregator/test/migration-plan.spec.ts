import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { runMigrateCommand } from '../src/migrate/command.js';
import { Database } from '../src/store/database/database.js';
import { readMigrations, type Migration } from '../src/store/database/migration-files.js';
import { measureMigrations, planMigrations } from '../src/store/database/migration-plan.js';
import { migrate } from '../src/store/database/migrations.js';

describe('a dry run of migrations', () => {
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

  async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
    const printed = { out: '', err: '' };
    const code = await runMigrateCommand(argv, {
      env: { DATABASE_URL: server.url },
      out: (text) => (printed.out += text),
      err: (text) => (printed.err += text),
    });
    return { code, ...printed };
  }

  /** Tables and the version, as a dry run must leave them. */
  async function schema(): Promise<unknown> {
    const { rows } = await database.read((transaction) =>
      transaction.query<Record<string, unknown>>(
        `select array_agg(table_name || '.' || column_name order by table_name, column_name) as columns from information_schema.columns
         where table_schema = current_schema()`,
      ),
    );
    return rows;
  }

  it('names all migrations for an empty database, and creates nothing in it', async () => {
    const before = await schema();
    const { code, out } = await run('--dry-run');
    expect([code, out]).toEqual([0, expect.stringContaining(`has version 0, this program needs ${migrations.length}`)]);
    expect(out).toMatch(/^0001 {2}\S.*\n/m);
    expect(out).toMatch(/Nothing was changed\.\n$/);
    expect(await schema()).toEqual(before);
  });

  it('tells of an older database what would run on which tables', async () => {
    await migrate(database, migrations.slice(0, 16));
    const before = await schema();
    const { applied, known, pending } = await planMigrations(database);
    expect([applied, known]).toEqual([16, migrations.length]);
    expect(pending.map(({ version }) => version)).toEqual(migrations.slice(16).map(({ version }) => version));
    expect(pending[0]).toMatchObject({ about: expect.stringContaining('What the records of a call have together') });
    expect(pending[0]?.tables).toEqual([{ name: 'calls', rows: expect.any(Number), bytes: expect.any(Number) }]);
    expect(await schema()).toEqual(before);
  });

  it('tells the time and the locks of each after running it, and takes it back', async () => {
    const before = await schema();
    const { pending } = await measureMigrations(database);
    expect(pending.map(({ measured }) => measured?.ms)).toEqual(pending.map(() => expect.any(Number)));
    expect(pending[0]?.measured?.locks).toEqual(['calls (AccessExclusiveLock)']);
    expect(await schema()).toEqual(before);
    expect((await run('--dry-run', '--measure')).out).toContain('others wait for: calls (AccessExclusiveLock)');
  });

  it('is followed by the migration itself, after which there is nothing to do', async () => {
    const { code, out } = await run();
    expect([code, out]).toEqual([0, expect.stringContaining(`The database has version ${migrations.length}.\n`)]);
    expect((await run('--dry-run')).out).toContain('no migration would run');
  });

  it('refuses in one line a database that has migrations which this program does not know', async () => {
    await database.write((transaction) =>
      transaction.query('insert into schema_versions (version) values ($1)', [migrations.length + 1]),
    );
    for (const argv of [['--dry-run'], ['--dry-run', '--measure'], []]) {
      const { code, out, err } = await run(...argv);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(
        /^migrate: this program is too old for the database: the schema has version \d+, the program supports \d+\. Start the version that ran before, or restore a backup from before the upgrade\n$/,
      );
    }
  });

  it('rejects options that it does not know, and --measure alone', async () => {
    expect(await run('--force')).toMatchObject({ code: 2, err: expect.stringContaining('Usage: npm run migrate') });
    expect(await run('--measure')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--measure needs --dry-run'),
    });
  });
});
