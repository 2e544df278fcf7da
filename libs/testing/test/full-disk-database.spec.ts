import { startDatabase, type EmbeddedDatabase } from '@ringdown/embedded/database';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../src/eventually.js';
import { quietLogger } from '../src/quiet-logger.js';
import { SmallDisk } from '../src/small-disk.js';
import { Started } from '../src/started.js';

/** A row of about 100 KB that cannot be compressed away. */
const INSERT = `insert into rows_kept select $1, string_agg(md5(random()::text), '') from generate_series(1, 3000)`;
const SERVES_WITHIN_MS = 30_000;

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

describe('the embedded database on a full disk', () => {
  const started = new Started();
  let disk: SmallDisk;
  let database: EmbeddedDatabase;

  beforeAll(async () => {
    disk = SmallDisk.mount(300);
    started.add(disk);
    database = started.add(await startDatabase({ folder: join(disk.folder, 'database'), logger: quietLogger() }));
    await withClient(database.url, (client) => client.query('create table rows_kept (n int, content text)'));
  });
  afterAll(() => started.stopAll());

  let accepted = 0;

  // The log needs room first, or else the table.
  it.each([8, 20])('loses nothing with %d MB, and serves again without help when there is room', async (megabytes) => {
    disk.fill();
    disk.freeSpace(megabytes);
    const writing = withClient(database.url, async (client) => {
      for (;;) {
        await client.query(INSERT, [accepted]);
        accepted++;
      }
    });
    await expect(writing).rejects.toThrow(/No space left on device|Connection terminated|ECONNRESET/);
    disk.freeSpace();
    const write = (): Promise<boolean> =>
      withClient(database.url, (client) => client.query('insert into rows_kept values (-1)')).then(
        () => true,
        () => false,
      );
    await eventually('the next write', write, SERVES_WITHIN_MS);
    const { rows } = await withClient(database.url, (client) =>
      client.query('select count(*)::integer as stored from rows_kept where n >= 0'),
    );
    expect(rows).toEqual([{ stored: accepted }]);
  });
});
