import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing/eventually';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { Surroundings } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

jest.setTimeout(240_000);

const CALLS = 300;

describe('the promotion of a standby', () => {
  let around: Surroundings;
  let primary: PostgresServer;
  let standby: PostgresServer;

  beforeAll(async () => {
    around = await Surroundings.start();
    primary = await PostgresServer.start();
    standby = await primary.standby();
  });
  afterAll(async () => {
    await around.stop();
    await Promise.all([primary.stop(), standby.stop()]);
  });

  it('under load loses no record and stores none twice, also where the standby was behind', async () => {
    const hosts = `postgres://ringdown@${primary.address},${standby.address}/postgres`;
    const aggregator = await around.startAggregator({ DATABASE_URL: hosts });
    const frontEnd = 'failover.example.test';
    let sent = 0;
    const load = async (): Promise<void> => {
      for (; sent < CALLS; sent++) {
        const record = { callId: `failover-${sent}`, frontEnd };
        await around.publish(published(startXml(record)), published(endXml(record)));
      }
    };
    const loading = load();
    await around.call(aggregator, 'failover-50');
    // As a standby that cannot keep up: what is committed from now on, it does not have.
    standby.freeze();
    await around.call(aggregator, 'failover-100');
    await primary.kill();
    standby.thaw();
    await standby.promote();
    await loading;
    for (let n = 0; n < CALLS; n++) {
      const call = await around.call(aggregator, `failover-${n}`, ({ state }) => state === 'ended');
      expect([call.version, call.records.length, call.partial]).toEqual([2, 2, false]);
    }
    const counted = async (): Promise<number | undefined> => {
      const path = '/api/front-ends';
      const { body } = await aggregator.get<{ items: { name: string; records: number }[] }>(path, around.operator);
      return body.items.find(({ name }) => name === frontEnd)?.records;
    };
    expect(await counted()).toBe(CALLS * 2);
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
  });
});
