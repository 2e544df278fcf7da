import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Client } from 'pg';
import { fromDatabase } from '../src/http/database-fault.js';
import { Database } from '../src/store/database/database.js';
import { Surroundings, type Problem } from './aggregator-under-test.js';

const TOO_MUCH = 'The query takes too long: request a shorter time, or add filters.';
const CONNECTIONS_ARE_USED =
  'Other queries use all connections to the database (DATABASE_POOL_SIZE); try again shortly.';

/** How many statements wait for the lock. */
async function waiting(client: Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_locks where relation = 'sip_failures'::regclass and not granted`,
  );
  return rows[0]?.waiting ?? 0;
}

describe('a question that the database does not answer in time', () => {
  let on: Surroundings;

  beforeAll(async () => {
    on = await Surroundings.start();
  });
  afterAll(() => on.stop());

  it('is cancelled by the server, and users are told what to do', async () => {
    // Enough for what the service asks itself meanwhile.
    const aggregator = await on.startAggregator({ DATABASE_POOL_SIZE: '20' });
    await eventually('the start', async () => (await aggregator.health.report()).ready);
    const other = new Client({ connectionString: on.database.url });
    await other.connect();
    await other.query('begin; lock table calls in access exclusive mode');
    const paths = ['/api/calls?q=bob', '/api/statistics/total'];
    const answers = await Promise.all(paths.map((path) => aggregator.get<Problem>(path, on.operator)));
    for (const { status, body } of answers)
      expect([status, body.code, body.detail]).toEqual([400, 'too-much', TOO_MUCH]);
    await other.query('rollback');
    await other.end();
    expect((await aggregator.get('/api/calls?verdict=bad', on.operator)).status).toBe(200);
    await on.stopAggregators();
  });

  it('leaves a connection to other users, and short questions to its own', async () => {
    const aggregator = await on.startAggregator();
    await eventually('the start', async () => (await aggregator.health.report()).ready);
    on.allow('other-operator-token', ['user', 'operator', 'reveal'], undefined, 'ben@example.test');
    const other = new Client({ connectionString: on.database.url });
    await other.connect();
    await other.query('begin; lock table sip_failures in access exclusive mode');
    const ask = (path: string, token = on.operator): ReturnType<typeof aggregator.get<Problem>> =>
      aggregator.get<Problem>(path, token);
    // As many as there are connections for reading, with the default of DATABASE_POOL_SIZE.
    const long = [ask('/api/sip-failures'), ask('/api/sip-failures')];
    await eventually('the questions', async () => (await waiting(other)) > 0);
    const pages = await Promise.all([ask('/api/calls', 'other-operator-token'), ask('/api/calls')]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const answers = await Promise.all(long);
    expect(answers.map(({ status, body }) => `${status} ${body.code}`).toSorted()).toEqual([
      '400 too-much',
      '429 too-many-long-queries-of-user',
    ]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('5');
    await other.query('rollback');
    await other.end();
    await on.stopAggregators();
  });

  it('does not make the service unready, and others are told why they are not answered', async () => {
    const database = new Database({ url: on.database.url, poolSize: 2, logger: quietLogger() });
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const long = database.read(() => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    await database.check();
    await expect(fromDatabase(database.read((asked) => asked.query('select 1')))).rejects.toMatchObject({
      kind: 'unavailable',
      message: CONNECTIONS_ARE_USED,
    });
    end.resolve();
    await long;
    await database.close();
  });
});
