import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { Database } from '../src/store/database/database.js';
import { migrate } from '../src/store/database/migrations.js';

describe('a primary database that its operator has set to read only', () => {
  const started = new Started();
  let server: PostgresServer;
  let database: Database;

  beforeAll(async () => {
    server = started.add(await PostgresServer.start());
    database = new Database({ url: server.url, poolSize: 2, logger: quietLogger() });
    started.add({ stop: () => database.close() });
  });
  afterAll(() => started.stopAll());

  it('is named as such by failed writes and by the health check, and not called a standby', async () => {
    await server.setReadOnly(true);
    const reason = 'the database can only be read (default_transaction_read_only)';
    await expect(database.write((transaction) => transaction.query('create table t ()'))).rejects.toThrow(
      `${reason}: cannot execute CREATE TABLE in a read-only transaction`,
    );
    await expect(migrate(database)).rejects.toThrow(reason);
    await expect(database.checkWrites()).rejects.toThrow(
      new RegExp(`^${reason.replaceAll(/[()]/g, String.raw`\$&`)}$`),
    );
    await server.setReadOnly(false);
    await migrate(database);
    await database.checkWrites();
  });
});
