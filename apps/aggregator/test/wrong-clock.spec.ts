import { jest } from '@jest/globals';
import type { Counts } from '../src/store/statistics/statistics.js';
import { Transaction } from '../src/store/database/transaction.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

const DAY_MS = 86_400_000;
const rightTime = (): number => performance.timeOrigin + performance.now();

describe.each([
  ['behind', -40],
  ['ahead', 40],
])('an aggregator whose clock is 40 days %s', (_behind, days) => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    around.allow(around.operator, ['user', 'operator', 'reveal'], rightTime() + 100 * DAY_MS);
    jest.spyOn(Date, 'now').mockImplementation(() => Math.round(rightTime() + days * DAY_MS));
    aggregator = await around.startAggregator();
    const at = rightTime() - 60_000;
    await around.publish(published(startXml({ callId: 'recent', at: new Date(at).toISOString() }), at));
    await around.call(aggregator, 'recent');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await around.stop();
  });

  it('counts the calls of the last day by the clock of the database when no time is given', async () => {
    const path = '/api/statistics/streams?bucketSeconds=86400';
    const { status, body } = await aggregator.get<Counts & { to: string }>(path, around.operator);
    expect(status).toBe(200);
    expect(Math.abs(Date.parse(body.to) - rightTime())).toBeLessThan(60_000);
    expect(body.items.map(({ calls }) => calls)).toEqual([1]);
  });

  it('begins the search for the newest calls of a user at the time of the database', async () => {
    const queries = jest.spyOn(Transaction.prototype, 'query');
    const { status } = await aggregator.get('/api/calls?user=sip:anna@example.test', around.operator);
    expect(status).toBe(200);
    const bounds = queries.mock.calls
      .filter(([text]) => typeof text === 'string' && text.includes('began_at >='))
      .flatMap(([, values]) => values?.filter((value) => value instanceof Date) ?? []);
    queries.mockRestore();
    const [bound] = bounds;
    expect(Math.abs((bound?.getTime() ?? 0) + DAY_MS - rightTime())).toBeLessThan(60_000);
  });
});

describe('an aggregator whose clock jumps back by 40 days', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    around.allow(around.operator, ['user', 'operator', 'reveal'], rightTime() + 100 * DAY_MS);
    aggregator = await around.startAggregator();
    await around.publish(published(startXml({ callId: 'before' })));
    await around.call(aggregator, 'before');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await around.stop();
  });

  it('still uses the original time of receipt', async () => {
    jest.spyOn(Date, 'now').mockImplementation(() => Math.round(rightTime() - 40 * DAY_MS));
    const at = rightTime();
    await around.publish(published(startXml({ callId: 'after' }), at));
    const { firstReceivedAt } = await around.call(aggregator, 'after');
    expect(Math.abs(Date.parse(firstReceivedAt) - at)).toBeLessThan(60_000);
  });
});
