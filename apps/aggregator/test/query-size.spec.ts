import { eventually, quietLogger, Started } from '@ringdown/testing';
import type { Call } from '../src/calls/call.js';
import { Database } from '../src/store/database.js';
import { QueryTooLarge } from '../src/store/query-size.js';
import { Surroundings, type Page, type Problem } from './aggregator-under-test.js';
import { published, reportXml } from './feed-examples.js';
import { copyCalls } from './store-under-test.js';

const ROWS = 'select count(*)::integer as rows from generate_series(1, ';

describe('a limit for the rows that a query reads', () => {
  const started = new Started();
  let around: Surroundings;
  let database: Database;

  beforeAll(async () => {
    around = started.add(await Surroundings.start());
    const { url } = around.database;
    database = new Database({ url, poolSize: 2, rowsLimit: 1_000, logger: quietLogger() });
    started.add({ stop: () => database.close() });
  });
  afterAll(() => started.stopAll());

  const count = async (rows: number, how: 'read' | 'readLagging' | 'write' = 'read'): Promise<unknown> =>
    (await database[how]((transaction) => transaction.query(`${ROWS}$1::integer)`, [rows]))).rows;

  it.each(['read', 'readLagging'] as const)('rejects a larger query for %s without running it', async (how) => {
    // It would take minutes, and PGlite could not cancel it.
    await expect(count(2_000_000_000, how)).rejects.toThrow(QueryTooLarge);
    expect(await count(10, how)).toEqual([{ rows: 10 }]);
  });

  it('does not concern cheap queries and writes', async () => {
    expect(await count(2_000)).toEqual([{ rows: 2_000 }]);
    await database.write((transaction) => transaction.query(`${ROWS}2000000000) where false`));
  });

  it('does not concern reads that are known to be small', async () => {
    // The planner expects a tenth of all pairs.
    const sql = 'select from generate_series(1, 40000) as one, generate_series(1, 40000) as other limit (select 1)';
    await expect(database.read((transaction) => transaction.query(sql))).rejects.toThrow(QueryTooLarge);
    const { rows } = await database.read((transaction) => transaction.querySmall(sql));
    expect(rows).toHaveLength(1);
  });

  it('rejects statistics of too many calls, and no page, by the statistics that the aggregator renews', async () => {
    const settings = { QUERY_ROWS_LIMIT: '5000' };
    const before = await around.startAggregator(settings);
    await around.publish(published(reportXml({ callId: 'one' }, 'audio', '<PacketLossRate>0.01</PacketLossRate>')));
    const { beganAt } = await around.call(before, 'one');
    const statistics = `/api/statistics/metrics?metric=loss&by=frontEnd&from=${beganAt.slice(0, 10)}T00:00:00Z&to=${beganAt.slice(0, 10)}T23:59:59Z`;
    expect((await before.get(statistics, around.operator)).status).toBe(200);
    await copyCalls(database, 10_000, `'stale', false`);
    // At its start, as every minute.
    const limited = await around.startAggregator(settings);
    const request = <T>(path: string): ReturnType<typeof limited.get<T>> => limited.get<T>(path, around.operator);
    await eventually('the rejection', async () => (await request(statistics)).status === 400);
    expect((await request<Problem>(statistics)).body.code).toBe('too-much');
    expect((await request<Page<Call>>('/api/calls?sort=-loss')).body.items).toHaveLength(50);
    expect((await request('/api/calls/one')).status).toBe(200);
    const unlimited = await around.startAggregator();
    // 503 is the response while the embedded database, one query at a time, is busy with three aggregators.
    await eventually('the statistics', async () => (await unlimited.get(statistics, around.operator)).status === 200);
  });
});
