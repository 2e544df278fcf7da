import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing/eventually';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { Started } from '@ringdown/testing/started';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

jest.setTimeout(240_000);

interface Lagging {
  readonly lagSeconds?: number;
  readonly calls?: number;
}

describe('answers of a standby', () => {
  const started = new Started();
  let around: Surroundings;
  let primary: PostgresServer;
  let standby: PostgresServer;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = started.add(await Surroundings.start());
    primary = started.add(await PostgresServer.start());
    standby = started.add(await primary.standby());
    // One host: it is not chosen, and measured nevertheless.
    aggregator = await around.startAggregator({ DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url });
  });
  afterAll(() => started.stopAll());

  const answer = async (path: string): Promise<Lagging> => (await aggregator.get<Lagging>(path, around.operator)).body;
  const total = (): Promise<Lagging> => answer('/api/statistics/total');
  const metric = async (): Promise<number> =>
    Number(await aggregator.metric(/^ringdown_database_read_lag_seconds (\S+)$/m));

  it('contain by how much it is behind, as metrics do, also when it receives nothing', async () => {
    await around.publish(published(startXml({ callId: 'before' })));
    await eventually('the call on the standby', async () => (await total()).calls === 1);
    await eventually('no lag', async () => (await total()).lagSeconds === 0 && (await metric()) === 0);
    standby.freeze();
    try {
      await around.publish(published(startXml({ callId: 'after' })));
      await around.call(aggregator, 'after');
      await eventually('a lag of five seconds', async () => (await metric()) >= 5);
      for (const path of [
        '/api/statistics/total',
        '/api/statistics/load',
        '/api/suspects',
        '/api/suggest?field=codec&q=a',
      ])
        expect((await answer(path)).lagSeconds).toBeGreaterThanOrEqual(5);
      expect((await total()).calls).toBe(1);
    } finally {
      standby.thaw();
    }
    await eventually('no lag', async () => (await total()).lagSeconds === 0, 60_000);
    await eventually('both calls', async () => (await total()).calls === 2);
  });

  it('are those of the primary, without a lag, while it is away', async () => {
    await standby.kill();
    await eventually('an answer', async () => (await total()).lagSeconds === 0);
    expect(await total()).toMatchObject({ calls: 2, lagSeconds: 0 });
    expect(await metric()).toBe(0);
  });

  it('contain no lag without a server of their own', async () => {
    const other = await around.startAggregator();
    const { body } = await other.get<Lagging>('/api/statistics/total', around.operator);
    expect(body).not.toHaveProperty('lagSeconds');
  });
});
