import { jest } from '@jest/globals';
import { ensureFeedStreams } from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { startPostgres } from '@ringdown/testing/servers/database';
import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { SmallDisk } from '@ringdown/testing/small-disk';
import { Started } from '@ringdown/testing/started';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markUnfinished } from '../src/backup/database-restore.js';
import { STREAMS_AFTER_DATABASE, STREAMS_BEFORE_DATABASE } from '../src/backup/streams.js';
import { readManifest, sealManifest, type Manifest } from '../src/backup/manifest.js';
import { Database } from '../src/store/database/database.js';
import { readMigrations } from '../src/store/database/migration-files.js';
import { readSchemaVersion } from '../src/store/database/migration-plan.js';
import { migrate } from '../src/store/database/migrations.js';
import { Surroundings } from './aggregator-under-test.js';
import { BackupProcess, type BackedUp } from './backup-process.js';
import { endXml, published, startXml } from './feed-examples.js';

jest.setTimeout(240_000);

const CALLS = 40;
/** With messages of calls, whose segments have numbers of a sequence. */
const OLD_VERSION = 24;
/** Has every character that the text of a row must escape. */
const ODD_NAME = `quotes " ' \\ brackets ( ) { } , comma \\N null 𝄞 ü \u2028 \u2029 x`;

describe('a backup', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-backup-'));
  const backup = join(folder, 'backup');
  let around: Surroundings;
  let source: BackedUp;
  /** Where nothing has been restored. */
  let empty: BackedUp;

  beforeAll(async () => {
    around = started.add(await Surroundings.start());
    source = { bus: around.nats, database: around.database };
    const aggregator = await around.startAggregator();
    for (let n = 0; n < CALLS; n++) {
      const record = { callId: `kept-${n}`, frontEnd: 'fe.example.test', from: `a${n}` };
      await around.publish(published(startXml(record)), published(endXml(record)));
    }
    await around.call(aggregator, `kept-${CALLS - 1}`, ({ state }) => state === 'ended');
    const search = { name: ODD_NAME, parameters: { state: 'ended' } };
    expect(await aggregator.send('POST', '/api/searches', around.operator, { body: search })).toMatchObject({
      status: 201,
    });
    await eventually('all calls', async () => {
      const { body } = await aggregator.get<{ items: unknown[] }>('/api/calls?limit=200&state=ended', around.operator);
      return body.items.length === CALLS;
    });
    expect(await BackupProcess.run(source, 'backup', backup)).toMatchObject({ code: 0, err: '' });
    const bus = started.add(await startNats());
    empty = { bus, database: started.add(await PostgresServer.start()) };
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Every row of every table, by table. */
  async function rowsOf(url: string): Promise<unknown> {
    const database = new Database({ url, poolSize: 1, logger: quietLogger() });
    try {
      return await database.read(async (transaction) => {
        await transaction.query(`set local timezone = 'UTC'`);
        const { rows: tables } = await transaction.query<{ name: string }>(
          `select relname as name from pg_class where relnamespace = current_schema()::regnamespace
             and relkind in ('r', 'p') and relname <> 'schema_versions' order by 1`,
        );
        const found: Record<string, unknown> = {};
        for (const { name } of tables) {
          const { rows } = await transaction.query<{ row: string }>(
            `select t::text as row from "${name}" t order by 1`,
          );
          found[name] = rows.map(({ row }) => row);
        }
        return found;
      });
    } finally {
      await database.close();
    }
  }

  async function assertStillEmpty(): Promise<void> {
    expect(await rowsOf(empty.database.url)).toEqual({});
    const bus = await Bus.connect({ url: empty.bus.urlOf('backup'), name: 'test', logger: quietLogger() });
    try {
      await expect(bus.jsm.streams.info('RECORDS')).rejects.toThrow('stream not found');
    } finally {
      await bus.close();
    }
  }

  /** A copy of the backup, to be damaged. */
  function copied(name: string): string {
    const copy = join(folder, name);
    cpSync(backup, copy, { recursive: true });
    return copy;
  }

  /** With another content, as its program would have sealed it. */
  async function rewritten(name: string, change: (manifest: Manifest) => object): Promise<string> {
    const copy = copied(name);
    const manifest = await readManifest(copy);
    writeFileSync(join(copy, 'manifest.json'), sealManifest({ ...manifest, ...change(manifest) }));
    return copy;
  }

  it.each<[string, (name: string) => string | Promise<string>, RegExp]>([
    [
      'a folder that does not exist',
      () => join(folder, 'nowhere'),
      /is not a complete backup: it has no manifest\.json/,
    ],
    [
      'a file that is cut off',
      (name) => {
        truncateSync(join(copied(name), 'streams/RECORDS.snapshot'), 700);
        return join(folder, name);
      },
      /streams\/RECORDS\.snapshot in \S+ is cut off: it has 700 of \d+ bytes/,
    ],
    [
      'a file that was changed',
      (name) => {
        const file = join(copied(name), 'database/calls.rows.gz');
        const content = readFileSync(file);
        content[200] = (content[200] ?? 0) ^ 1;
        writeFileSync(file, content);
        return join(folder, name);
      },
      /database\/calls\.rows\.gz in \S+ was changed: its checksum is wrong/,
    ],
    [
      'a missing file',
      (name) => {
        rmSync(join(copied(name), 'database/records.rows.gz'));
        return join(folder, name);
      },
      /is not complete: database\/records\.rows\.gz is missing/,
    ],
    [
      'a manifest that was changed',
      (name) => {
        const file = join(copied(name), 'manifest.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"format": 1', '"format": 0'));
        return join(folder, name);
      },
      /manifest\.json in \S+ was changed: its digest is wrong/,
    ],
    [
      'a manifest that is cut off',
      (name) => {
        truncateSync(join(copied(name), 'manifest.json'), 900);
        return join(folder, name);
      },
      /manifest\.json in \S+ is cut off or was changed/,
    ],
    [
      'a format that is newer',
      (name) => rewritten(name, () => ({ format: 2 })),
      /has format 2, and this program reads 1: use the version of Ringdown that made it, or a later one/,
    ],
    [
      'a database of a newer version',
      (name) =>
        rewritten(name, ({ database }) => ({ program: '9.0.0', database: { ...database, schemaVersion: 9_000 } })),
      /is of Ringdown 9\.0\.0 with version 9000 of the database, and this program knows \d+/,
    ],
    [
      'a path that leads out of it',
      (name) => rewritten(name, ({ files }) => ({ files: [...files, { path: '../x', bytes: 1, sha256: '' }] })),
      /names a file outside of it/,
    ],
  ])('is not restored when it is %s', async (what, damaged, reason) => {
    const given = await damaged(what.replaceAll(/\W/g, '-'));
    const { code, err, out } = await BackupProcess.run(empty, 'restore', given, '--replace');
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(reason)]);
    expect(err.split('\n')).toHaveLength(2);
    await assertStillEmpty();
  });

  it('is not restored when a table has other columns than its version, which is found before the bus is replaced', async () => {
    const copy = await rewritten('other-columns', ({ database }) => {
      const tables = database.tables.map((table) =>
        table.name === 'records' ? { ...table, columns: [...table.columns, 'more'] } : table,
      );
      return { database: { ...database, tables } };
    });
    const { code, err } = await BackupProcess.run(empty, 'restore', copy, '--replace');
    const reason = /^restore: the table records of the backup has other columns than version \d+\n$/;
    expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
    await assertStillEmpty();
  });

  it('is not restored to a system that runs, nor to one that has data without --replace', async () => {
    const running = await BackupProcess.run(source, 'restore', backup, '--replace');
    expect([running.code, running.err]).toEqual([
      1,
      'restore: services of Ringdown are running on this message bus: stop them first\n',
    ]);
    await around.stopAggregators();
    const untouched = await rowsOf(source.database.url);
    const { code, err } = await BackupProcess.run(source, 'restore', backup);
    const reason =
      /^restore: nothing was restored, because this system has data: the database has tables; the message bus has messages in .*RECORDS.*\. --replace deletes it\n$/;
    expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
    expect(await rowsOf(source.database.url)).toEqual(untouched);
    expect(await BackupProcess.run(source, 'restore', backup, '--replace')).toMatchObject({ code: 0, err: '' });
    const aggregator = await around.startAggregator();
    expect((await around.call(aggregator, 'kept-7')).version).toBe(2);
  });

  it('is restored with every row by another PostgreSQL, and from there by the embedded database', async () => {
    expect(await BackupProcess.run(empty, 'restore', backup)).toMatchObject({ code: 0, err: '' });
    const restored = await rowsOf(empty.database.url);
    expect(restored).toMatchObject({ saved_searches: [expect.stringContaining('quotes')] });
    const second = join(folder, 'second');
    expect(await BackupProcess.run(empty, 'backup', second)).toMatchObject({ code: 0, err: '' });
    const [bus, database] = [started.add(await startNats()), started.add(await startPostgres({ schema: 'none' }))];
    expect(await BackupProcess.run({ bus, database }, 'restore', second)).toMatchObject({ code: 0, err: '' });
    expect(await rowsOf(database.url)).toEqual(restored);
  });

  it('of an older version is restored as it is, and migrated by the next start', async () => {
    const [older, newer] = [started.add(await PostgresServer.start()), started.add(await PostgresServer.start())];
    const migrations = await readMigrations();
    const old = new Database({ url: older.url, poolSize: 1, logger: quietLogger() });
    await migrate(old, migrations.slice(0, OLD_VERSION));
    await old.write((transaction) =>
      transaction.query(`insert into trace_segments (closed_at) values (null), (now())`),
    );
    await old.close();
    const rows = await rowsOf(older.url);
    const copy = join(folder, 'older');
    const bus = started.add(await startNats());
    expect(await BackupProcess.run({ bus, database: older }, 'backup', copy)).toMatchObject({ code: 0, err: '' });
    expect(await BackupProcess.run({ bus, database: newer }, 'restore', copy)).toMatchObject({ code: 0, err: '' });
    expect(await rowsOf(newer.url)).toEqual(rows);
    const restored = new Database({ url: newer.url, poolSize: 1, logger: quietLogger() });
    await migrate(restored);
    const next = await restored.write(async (transaction) => {
      expect(await readSchemaVersion(transaction)).toBe(migrations.length);
      return transaction.query<{ number: number }>('insert into trace_segments default values returning number');
    });
    await restored.close();
    expect(next.rows).toEqual([{ number: 3 }]);
  });

  it('leaves out tables of another program, and is not restored beside them', async () => {
    await around.stopAggregators();
    const before = await rowsOf(source.database.url);
    const theirs = new Database({ url: source.database.url, poolSize: 1, logger: quietLogger() });
    await theirs.write(async (transaction) => {
      await transaction.query('create table theirs (id serial, note text)');
      await transaction.query(`insert into theirs (note) values ('kept')`);
    });
    const copy = join(folder, 'left-out');
    const made = await BackupProcess.run(source, 'backup', copy);
    expect(made).toMatchObject({ code: 0, out: expect.stringContaining('left out, of another program: theirs') });
    const { code, err } = await BackupProcess.run(source, 'restore', copy, '--replace');
    expect([code, err]).toEqual([
      1,
      'restore: the database has tables of another program (theirs): give Ringdown a database of its own (DATABASE_URL)\n',
    ]);
    expect(await rowsOf(source.database.url)).toEqual({ ...Object(before), theirs: ['(1,kept)'] });
    await theirs.write((transaction) => transaction.query('drop table theirs'));
    await theirs.close();
    const restored = { bus: started.add(await startNats()), database: started.add(await PostgresServer.start()) };
    expect(await BackupProcess.run(restored, 'restore', copy)).toMatchObject({ code: 0, err: '' });
    expect(await rowsOf(restored.database.url)).toEqual(before);
  });

  it('of an earlier version that contains such tables is restored without them', async () => {
    const copy = await rewritten('with-theirs', ({ database, files }) => {
      const tables = [...database.tables, { name: 'theirs', columns: ['id'], rows: 1 }];
      const sequences = [...database.sequences, { name: 'theirs_id_seq', lastValue: '1' }];
      return { files, database: { ...database, tables, sequences } };
    });
    const servers = { bus: started.add(await startNats()), database: started.add(await PostgresServer.start()) };
    expect(await BackupProcess.run(servers, 'restore', copy)).toMatchObject({ code: 0, err: '' });
    expect(await rowsOf(servers.database.url)).not.toHaveProperty('theirs');
  });

  it('is not restored again after an interruption when records were accepted meanwhile, without --replace', async () => {
    const other = started.add(await Surroundings.start());
    const servers = { bus: other.nats, database: other.database };
    await ensureFeedStreams(other.bus, { recordsMaxAgeHours: 1, recordsMaxBytes: 64 * 1024 * 1024 });
    const database = new Database({ url: other.database.url, poolSize: 1, logger: quietLogger() });
    await markUnfinished(database);
    await database.close();
    await other.publish(published(startXml({ callId: 'accepted-meanwhile' })));
    const { code, err } = await BackupProcess.run(servers, 'restore', backup);
    const reason =
      /^restore: nothing was restored, because messages were accepted after the interrupted restore of \S+: RECORDS\. --replace deletes them\n$/;
    expect([code, err]).toEqual([1, expect.stringMatching(reason)]);
    expect((await other.bus.jsm.streams.info('RECORDS')).state.messages).toBe(1);
    expect(await BackupProcess.run(servers, 'restore', backup, '--replace')).toMatchObject({ code: 0, err: '' });
  });

  it('does not touch a database of another program', async () => {
    const database = started.add(await PostgresServer.start());
    const other = new Database({ url: database.url, poolSize: 1, logger: quietLogger() });
    await other.write((transaction) => transaction.query('create table theirs as select 1 as one'));
    await other.close();
    const { code, err } = await BackupProcess.run({ ...empty, database }, 'restore', backup, '--replace');
    expect([code, err]).toEqual([1, expect.stringContaining('the database has tables of another program')]);
    expect(await rowsOf(database.url)).toEqual({ theirs: ['(1)'] });
  });

  it('reports a full disk, and leaves nothing on it', async () => {
    const disk = started.add(SmallDisk.mount(1));
    disk.fill();
    disk.freeSpace(1 / 64);
    const before = readdirSync(disk.folder);
    const { code, err } = await BackupProcess.run(source, 'backup', join(disk.folder, 'backup'));
    expect([code, err]).toEqual([1, `backup: the disk of ${join(disk.folder, 'backup')} is full\n`]);
    expect(readdirSync(disk.folder)).toEqual(before);
  });

  it('does not overwrite a folder, and needs both servers', async () => {
    const again = await BackupProcess.run(source, 'backup', backup);
    expect([again.code, again.err]).toEqual([1, `backup: ${backup} exists already, and is not overwritten\n`]);
    const { code, err } = await BackupProcess.run(
      { ...source, database: { url: 'postgres://ringdown@127.0.0.1:1/ringdown' } },
      'backup',
      join(folder, 'without'),
    );
    expect([code, err]).toEqual([1, expect.stringMatching(/^backup: the database does not respond: .*\n$/)]);
    expect(readdirSync(folder).filter((name) => name.startsWith('without'))).toEqual([]);
  });

  it.each([
    [['restore'], 'give the folder of one backup'],
    [['restore', backup, '--force'], "Unknown option '--force'"],
    [['restore', backup, '--check', '--replace'], '--check restores nothing'],
    [['backup', 'one', 'two'], 'give one folder'],
  ])('shows how to use the command for %j', async (args, reason) => {
    const { code, err } = await BackupProcess.run(source, ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
    expect(err).toContain('Usage: npm run');
    expect(existsSync('one')).toBe(false);
  });

  it('names each stream once', () => {
    const names = [...STREAMS_BEFORE_DATABASE, ...STREAMS_AFTER_DATABASE];
    expect(new Set(names).size).toBe(names.length);
  });
});
