import { DATABASE_NAME } from '@ringdown/embedded/database';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** What a new database contains: nothing, or the tables of the aggregator. */
export type Schema = 'none' | 'current';

/** One server for all test files of a run; each has a database of its own on it. */
export interface SharedPostgres {
  /** For the owner of the databases, who is not a superuser. */
  readonly url: string;
  readonly superuserUrl: string;
}

/** What the run gives to its test files (scripts/test/shared-postgres.mjs): a {@link SharedPostgres} as JSON. */
const VARIABLE = 'RINGDOWN_TEST_POSTGRES';
/** As many as four workers with several aggregators each use, and more. */
export const SHARED_SETTINGS = { max_connections: '400', autovacuum_max_workers: '2' };

/** Undefined where the run has none, as when jest is started by itself. */
export function sharedPostgres(): SharedPostgres | undefined {
  const text = process.env[VARIABLE];
  if (text === undefined || text === '') return undefined;
  const server: SharedPostgres = JSON.parse(text);
  return server;
}

/** A new database on a server. `drop` also ends the connections to it. */
export async function createDatabase(
  server: SharedPostgres,
  schema: Schema,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const { username } = new URL(server.url);
  const template = schema === 'current' ? DATABASE_NAME : 'template1';
  await asSuperuser(server, `create database ${name} template ${template} strategy file_copy owner ${username}`);
  const url = new URL(server.url);
  url.pathname = name;
  return { url: url.href, drop: () => asSuperuser(server, `drop database ${name} with (force)`) };
}

async function asSuperuser({ superuserUrl }: SharedPostgres, statement: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
