import type { StreamMetric } from '@ringdown/call-catalogue/statistics';
import type { MetricCounts } from '../src/store/statistics/metric-statistics.js';
import { Statistics } from '../src/store/statistics/statistics.js';
import { published, reportXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';

const element = (name: string, value: number): string => `<${name}>${value}</${name}>`;
const hour = (n: number): Date => new Date(Date.UTC(2026, 2, 2, n));

describe('metrics of many streams', () => {
  let on: StoreUnderTest;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    // A hundred calls with jitters of 1 to 100 ms; every second one lost packets, and reports how many packets there
    // were.
    for (let n = 1; n <= 100; n++) {
      const jitter = element('JitterInterArrival', n);
      const rest = n % 2 === 0 ? element('PacketLossRate', n / 1_000) + element('RoundTrip', n * 10) : '';
      const mos = n > 50 ? element('RecvListenMOS', n / 20) + element('BurstDuration', 10 * n) : '';
      const metrics = element('PacketUtilization', n === 3 ? 10 : 5_000) + jitter + rest + mos;
      await on.commit(published(reportXml({ callId: `c${n}`, frontEnd: `fe${n % 3}` }, 'audio', metrics)));
    }
  });
  afterAll(() => on.stop());

  const metrics = (
    metric: StreamMetric,
    more: { by?: 'frontEnd'; limit?: number; values?: readonly string[] } = {},
  ): Promise<MetricCounts> =>
    new Statistics(on.database, { subnets: [] }).metrics({
      filter: {},
      buckets: { from: hour(9), to: hour(12), seconds: 10_800 },
      metric,
      limit: 50,
      ...more,
    });

  it('contain percentiles that are at most 5 % too high, and a distribution', async () => {
    const { items, unit, bounds } = await metrics('jitter');
    expect([unit, bounds]).toEqual(['ms', [1, 2, 5, 10, 15, 25, 50, 100, 200, 500]]);
    // Too few packets arrived in the third call.
    expect(items).toMatchObject([{ at: '2026-03-02T09:00:00.000Z', value: null, streams: 99, max: 100 }]);
    const [item] = items;
    expect(item?.distribution).toEqual([1, 1, 2, 5, 5, 10, 25, 50, 0, 0, 0]);
    expect(item?.average).toBeCloseTo((5_050 - 3) / 99, 9);
    const exact = { p50: 51, p90: 91, p95: 96, p99: 100 };
    for (const [name, value] of Object.entries(exact)) {
      const estimate = item?.[name as keyof typeof exact] ?? 0; // oxlint-disable-line typescript/no-unsafe-type-assertion -- a key of the object above
      expect(estimate).toBeGreaterThanOrEqual(value);
      expect(estimate).toBeLessThanOrEqual(Math.min(100, value * 1.05));
    }
  });

  it('assume zero for an unreported loss, but not for an unreported round trip', async () => {
    const [loss] = (await metrics('loss')).items;
    expect(loss).toMatchObject({ streams: 99, p50: expect.closeTo(0.002, 3) as number, max: 0.1 });
    expect(loss?.distribution[0]).toBe(49);
    const [roundTrip] = (await metrics('roundTrip')).items;
    expect(roundTrip).toMatchObject({ streams: 50, average: 510, max: 1_000 });
  });

  it('count the MOS of streams that have one, with percentiles that are at most 1 % too high', async () => {
    const { unit, bounds, items } = await metrics('mos');
    expect([unit, bounds]).toEqual(['mos', [1.5, 2, 2.58, 3.1, 3.6, 4.03, 4.34]]);
    expect(items).toMatchObject([{ streams: 50, max: 5, distribution: [0, 0, 1, 11, 10, 8, 6, 14] }]);
    expect(items[0]?.p50).toBeGreaterThanOrEqual(3.75);
    expect(items[0]?.p50).toBeLessThanOrEqual(3.75 * 1.01);
  });

  it('count metrics that only some senders report', async () => {
    const { unit, items } = await metrics('burstDuration');
    expect(unit).toBe('ms');
    expect(items).toMatchObject([{ streams: 50, average: 755, max: 1_000 }]);
    expect((await metrics('frameRate')).items).toEqual([]);
  });

  it('list further values if they are named', async () => {
    const { items } = await metrics('jitter', { by: 'frontEnd', limit: 1, values: ['fe0'] });
    expect(items.map(({ value }) => value)).toEqual(['fe0', 'fe1']);
  });

  it('list the values with the most streams', async () => {
    const { items, valuesLeftOut } = await metrics('jitter', { by: 'frontEnd', limit: 2 });
    expect([items.map(({ value, streams }) => [value, streams]), valuesLeftOut]).toEqual([
      [
        ['fe1', 34],
        ['fe2', 33],
      ],
      1,
    ]);
  });
});
