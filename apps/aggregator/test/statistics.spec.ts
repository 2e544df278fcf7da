import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadStatistics } from '@ringdown/answers/statistics';
import type { Load } from '../src/store/statistics/load/load.js';
import type { MetricCounts } from '../src/store/statistics/metric-statistics.js';
import type { Count, Counts } from '../src/store/statistics/statistics.js';
import { Surroundings, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, errorXml, published, qualityXml, startXml } from './feed-examples.js';

/** The day before has two calls with known user agents, codecs and connections. */
const DAY_BEFORE = 'from=2026-03-01T10:00:00Z&to=2026-03-01T11:00:00Z';
const phone = '<Connection>Ethernet</Connection><UserAgent>Desk phone/4</UserAgent>';
const laptop = '<Connection>Wifi</Connection><UserAgent>UCCAPI/16</UserAgent>';

const MORNING = 'from=2026-03-02T10:00:00Z&to=2026-03-02T12:00:00Z';

describe('statistics', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-sites-'));
    const sites = { Oslo: ['10.1.0.0/16'], 'Oslo lab': ['10.1.5.0/24'], Bergen: ['10.2.0.0/16', '2001:db8::/32'] };
    writeFileSync(join(folder, 'sites.json'), JSON.stringify(sites));
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ SITES_FILE: join(folder, 'sites.json') });
    const at = (time: string): string => `2026-03-02T${time}Z`;
    const second = { callId: 'b', frontEnd: 'fe2.example.test' };
    await around.publish(
      published(startXml({ callId: 'a', at: at('10:00:00'), addresses: ['10.1.0.1', '10.2.0.1'] })),
      published(endXml({ callId: 'a', at: at('10:10:00') })),
      published(startXml({ ...second, at: at('10:05:00'), addresses: ['10.1.5.5', '192.0.2.1'] })),
      published(qualityXml({ ...second, at: at('10:06:01') }, 0.5)),
      published(endXml({ ...second, at: at('10:06:00') })),
      published(startXml({ callId: 'c', at: at('11:30:00'), addresses: ['10.1.0.9', '10.1.0.8'] })),
      published(errorXml({ callId: 'd', at: at('10:30:00') })),
      published(startXml({ callId: 'before', at: at('09:00:00') })),
      published(endXml({ callId: 'before', at: at('09:59:59') })),
      published(startXml({ callId: 'devices', at: '2026-03-01T10:00:00Z', ends: [phone, laptop] })),
      published(endXml({ callId: 'devices', at: '2026-03-01T10:05:00Z' })),
      published(startXml({ callId: 'phones', at: '2026-03-01T10:01:00Z', ends: [phone, phone] })),
      published(endXml({ callId: 'phones', at: '2026-03-01T10:05:00Z' })),
    );
    const versions = { a: 2, b: 3, c: 1, d: 1, before: 2, devices: 2, phones: 2 };
    for (const [callId, version] of Object.entries(versions)) {
      await around.call(aggregator, callId, (call) => call.version === version);
    }
  });
  afterAll(async () => {
    await around.stop();
    rmSync(folder, { recursive: true });
  });

  const request = async <T>(path: string): Promise<T> => {
    const { status, body } = await aggregator.get<T>(`/api/statistics/${path}`, around.operator);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };
  const shortly = ({ at, value, calls, streams, bad }: Count): string =>
    `${at.slice(11, 16)} ${value ?? '-'}: ${calls} calls, ${streams} streams, ${bad} bad`;

  it('count calls and streams by time', async () => {
    const { items, ...parameters } = await request<Counts>(`streams?${MORNING}`);
    expect(parameters).toEqual({
      from: '2026-03-02T10:00:00.000Z',
      to: '2026-03-02T12:00:00.000Z',
      bucketSeconds: 3_600,
      by: null,
      valuesLeftOut: 0,
    });
    expect(items).toEqual([
      {
        at: '2026-03-02T10:00:00.000Z',
        value: null,
        calls: 3,
        failedCalls: 1,
        expiredCalls: 0,
        streams: 5,
        good: 0,
        poor: 0,
        bad: 1,
        unknown: 4,
      },
      expect.objectContaining({ at: '2026-03-02T11:00:00.000Z', calls: 1, streams: 2 }),
    ]);
  });

  it.each([
    [
      'frontEnd',
      [
        '10:00 fe1.example.test: 2 calls, 2 streams, 0 bad',
        '10:00 fe2.example.test: 1 calls, 3 streams, 1 bad',
        '11:00 fe1.example.test: 1 calls, 2 streams, 0 bad',
      ],
    ],
    [
      'site',
      [
        '10:00 Bergen: 1 calls, 2 streams, 0 bad',
        '10:00 Oslo: 1 calls, 2 streams, 0 bad',
        '10:00 Oslo lab: 1 calls, 3 streams, 1 bad',
        '10:00 -: 1 calls, 0 streams, 0 bad',
        '11:00 Oslo: 1 calls, 2 streams, 0 bad',
      ],
    ],
    [
      'subnet',
      [
        '10:00 10.1.0.0/24: 1 calls, 2 streams, 0 bad',
        '10:00 10.1.5.0/24: 1 calls, 3 streams, 1 bad',
        '10:00 10.2.0.0/24: 1 calls, 2 streams, 0 bad',
        '10:00 192.0.2.0/24: 1 calls, 3 streams, 1 bad',
        '10:00 -: 1 calls, 0 streams, 0 bad',
        '11:00 10.1.0.0/24: 1 calls, 2 streams, 0 bad',
      ],
    ],
    [
      'medium',
      [
        '10:00 audio: 2 calls, 4 streams, 0 bad',
        '10:00 video: 1 calls, 1 streams, 1 bad',
        '10:00 -: 1 calls, 0 streams, 0 bad',
        '11:00 audio: 1 calls, 2 streams, 0 bad',
      ],
    ],
    [
      'codec',
      [
        '10:00 PCMU/8000: 2 calls, 4 streams, 0 bad',
        '10:00 -: 2 calls, 1 streams, 1 bad',
        '11:00 PCMU/8000: 1 calls, 2 streams, 0 bad',
      ],
    ],
    [
      'coverage',
      [
        '10:00 none: 2 calls, 2 streams, 0 bad',
        '10:00 one: 1 calls, 3 streams, 1 bad',
        '11:00 none: 1 calls, 2 streams, 0 bad',
      ],
    ],
    ['connection', ['10:00 -: 3 calls, 5 streams, 1 bad', '11:00 -: 1 calls, 2 streams, 0 bad']],
    ['userAgent', ['10:00 -: 3 calls, 5 streams, 1 bad', '11:00 -: 1 calls, 2 streams, 0 bad']],
  ])('count by %s', async (by, expected) => {
    expect((await request<Counts>(`streams?${MORNING}&by=${by}`)).items.map(shortly)).toEqual(expected);
  });

  it.each([
    ['connection', ['10:00 wifi: 1 calls, 2 streams, 0 bad', '10:00 wired: 2 calls, 4 streams, 0 bad']],
    ['userAgent', ['10:00 Desk phone/4: 2 calls, 4 streams, 0 bad', '10:00 UCCAPI/16: 1 calls, 2 streams, 0 bad']],
  ])('count by %s as reported by the ends, and link to the calls behind the counts', async (by, expected) => {
    const { items } = await request<Counts>(`streams?${DAY_BEFORE}&by=${by}`);
    expect(items.map(shortly).toSorted()).toEqual(expected);
    for (const { value, calls } of items) {
      const query = `${DAY_BEFORE}&${by}=${encodeURIComponent(value ?? '')}`;
      const { body } = await aggregator.get<{ items: readonly unknown[] }>(`/api/calls?${query}`, around.operator);
      expect(body.items).toHaveLength(calls);
    }
  });

  it('omit the values with the fewest streams, and report how many', async () => {
    const { items, valuesLeftOut } = await request<Counts>(`streams?${MORNING}&by=frontEnd&limit=1`);
    expect(items.map(({ value }) => value)).toEqual(['fe1.example.test', 'fe1.example.test']);
    expect(valuesLeftOut).toBe(1);
  });

  it('begin with the values that have the most bad streams when that is requested', async () => {
    const { items } = await request<Counts>(`streams?${MORNING}&by=frontEnd&sort=bad&limit=1`);
    expect(items.map(({ value }) => value)).toEqual(['fe2.example.test']);
  });

  it('contain the metrics of the streams for which they are known', async () => {
    const { items, ...parameters } = await request<MetricCounts>(
      `metrics?${MORNING}&metric=loss&by=site&bucketSeconds=7200`,
    );
    expect(parameters).toEqual({
      from: '2026-03-02T10:00:00.000Z',
      to: '2026-03-02T12:00:00.000Z',
      bucketSeconds: 7_200,
      by: 'site',
      metric: 'loss',
      unit: 'ratio',
      bounds: [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
      valuesLeftOut: 0,
    });
    const all = { average: 0.5, p50: 0.5, p90: 0.5, p95: 0.5, p99: 0.5, max: 0.5 };
    const distribution = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0];
    expect(items).toEqual([{ at: '2026-03-02T10:00:00.000Z', value: 'Oslo lab', streams: 1, ...all, distribution }]);
    expect((await request<MetricCounts>(`metrics?${MORNING}&metric=roundTrip`)).items).toEqual([]);
  });

  it.each([
    ['site=Oslo', ['a', 'c']],
    ['site=Oslo%20lab', ['b']],
    ['site=Bergen&medium=audio', ['a']],
    ['site=Oslo&address=10.1.5.0/24', []],
    ['medium=video', ['b']],
    ['codec=PCMU/8000&frontEnd=fe2.example.test', ['b']],
    ['codec=PCMU', []],
    ['connection=wifi', []],
    ['userAgent=Desk', []],
  ])('link to the calls behind them by %s', async (query, expected) => {
    const { status, body } = await aggregator.get<{ items: readonly { callId: string }[] }>(
      `/api/calls?${MORNING}&sort=oldest&${query}`,
      around.operator,
    );
    expect([status, body.items.map(({ callId }) => callId)]).toEqual([200, expected]);
  });

  it('use the same filters as lists of calls', async () => {
    const filtered = await request<Counts>(
      `streams?${MORNING}&by=medium&verdict=bad&address=10.1.5.0/24&bucketSeconds=60`,
    );
    expect(filtered.items.map(shortly)).toEqual([
      '10:05 audio: 1 calls, 2 streams, 0 bad',
      '10:05 video: 1 calls, 1 streams, 1 bad',
    ]);
    expect((await request<Counts>(`streams?${MORNING}&user=nobody@example.test`)).items).toEqual([]);
  });

  it('cover the last day when no time is given', async () => {
    const { items, from, to } = await request<Counts & { from: string; to: string }>('streams');
    expect(items).toEqual([]);
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
  });

  it('contain how many calls there were at the same time, and their bandwidth', async () => {
    const { items } = await request<{ items: readonly Load[] }>(`load?${MORNING}&bucketSeconds=300`);
    expect(items).toHaveLength(24);
    const busy = items.filter(({ calls }) => calls > 0);
    expect(busy.map(({ at, calls, averageBandwidth }) => `${at.slice(11, 16)} ${calls} ${averageBandwidth}`)).toEqual([
      '10:00 1 194000',
      '10:05 2 388000',
      ...['11:30', '11:35', '11:40', '11:45', '11:50', '11:55'].map((time) => `${time} 1 194000`),
    ]);
    expect(busy[1]?.maximumBandwidth).toBe(644_000);
    expect(items.find(({ at }) => at.includes('10:10'))).toEqual({
      at: '2026-03-02T10:10:00.000Z',
      value: null,
      calls: 0,
      averageBandwidth: 0,
      maximumBandwidth: 0,
      attempts: 0,
      attemptsPerSecond: 0,
    });
  });

  it('contain the load of calls that began before, and only of matching calls', async () => {
    const during = 'from=2026-03-02T10:05:30Z&to=2026-03-02T10:05:50Z&bucketSeconds=60';
    expect((await request<{ items: readonly Load[] }>(`load?${during}`)).items).toMatchObject([{ calls: 2 }]);
    const one = await request<{ items: readonly Load[] }>(`load?${during}&frontEnd=fe2.example.test`);
    expect(one.items).toMatchObject([{ calls: 1, averageBandwidth: 194_000 }]);
    const none = await request<{ items: readonly Load[] }>(`load?${during}&user=nobody@example.test`);
    expect(none.items).toMatchObject([
      { at: '2026-03-02T10:05:30.000Z', calls: 0, averageBandwidth: 0, maximumBandwidth: 0 },
    ]);
  });

  it('contain the load of each site, with its peak, and only of the sites that are asked for', async () => {
    const { items, ...rest } = await request<LoadStatistics>(`load?${MORNING}&by=site`);
    expect(
      items.map(({ at, value, calls, attempts }) => `${at.slice(11, 16)} ${value} ${calls} of ${attempts}`),
    ).toEqual([
      '10:00 Bergen 1 of 1',
      '10:00 Oslo 1 of 1',
      '10:00 Oslo lab 1 of 1',
      '10:00 null 0 of 1',
      '11:00 Oslo 1 of 1',
    ]);
    expect(rest).toMatchObject({ by: 'site', valuesLeftOut: 0, bucketSeconds: 3_600 });
    const oslo = {
      value: 'Oslo',
      peak: { calls: 1, at: '2026-03-02T10:00:00.000Z' },
      p95: { calls: 1, averageBandwidth: 194_000 },
      bandwidthPeak: { averageBandwidth: 194_000, at: '2026-03-02T10:00:00.000Z' },
      attempts: 2,
      attemptsPeak: { perSecond: 1 / 60, at: '2026-03-02T10:00:00.000Z' },
      limit: null,
      minutesAboveLimit: null,
    };
    expect(rest.values).toContainEqual(oslo);
    const only = await request<LoadStatistics>(`load?${MORNING}&by=site&values=Oslo&values=Nowhere&compare=before`);
    const idle = {
      peak: { calls: 0, at: null },
      p95: { calls: 0, averageBandwidth: 0 },
      bandwidthPeak: { averageBandwidth: 0, at: null },
      attempts: 0,
      attemptsPeak: { perSecond: 0, at: null },
      limit: null,
      minutesAboveLimit: null,
    };
    const nowhere = { ...idle, value: 'Nowhere' };
    expect(only).toMatchObject({ valuesLeftOut: 0, values: [oslo, nowhere] });
    expect(only.before?.values).toEqual([nowhere, { ...idle, value: 'Oslo' }]);
    expect(only.items.map(({ value }) => value)).toEqual(['Oslo', 'Oslo']);
  });

  it('contain the load of front ends that are asked for in any case', async () => {
    const { values } = await request<LoadStatistics>(`load?${MORNING}&by=frontEnd&values=FE2.example.test`);
    expect(values).toMatchObject([{ value: 'fe2.example.test', attempts: 1 }]);
  });

  it('compare the load with the period before', async () => {
    const hour = 'from=2026-03-02T10:05:00Z&to=2026-03-02T10:10:00Z&bucketSeconds=300&compare=before';
    const { items, before } = await request<{
      items: readonly Load[];
      before: { from: string; to: string; items: readonly Load[] };
    }>(`load?${hour}`);
    expect(items).toMatchObject([{ at: '2026-03-02T10:05:00.000Z', calls: 2 }]);
    expect(before).toMatchObject({
      from: '2026-03-02T10:00:00.000Z',
      to: '2026-03-02T10:05:00.000Z',
      items: [{ at: '2026-03-02T10:00:00.000Z', calls: 1, averageBandwidth: 194_000 }],
    });
  });

  it.each([
    ['load?compare=after', 'compare'],
    ['streams?by=colour', 'by'],
    ['streams?by=site&by=codec', 'by'],
    ['streams?by=toString', 'by'],
    ['streams?bucketSeconds=59', 'bucketSeconds'],
    ['streams?bucketSeconds=2678401', 'bucketSeconds'],
    ['streams?bucketSeconds=1h', 'bucketSeconds'],
    ['streams?from=2020-01-01T00:00:00Z', 'bucketSeconds'],
    [`streams?${MORNING}&bucketSeconds=60&to=2026-03-03T12:00:00Z`, 'to'],
    ['streams?from=2026-03-02T12:00:00Z&to=2026-03-02T10:00:00Z', 'from'],
    ['streams?limit=201', 'limit'],
    ['streams?cursor=x', 'cursor'],
    ['streams?state=lost', 'state'],
    ['streams?sort=worst', 'sort'],
    ['streams?site=Nowhere', 'site'],
    ['streams?site=', 'site'],
    ['streams?site=a&site=b', 'site'],
    ['metrics', 'metric'],
    ['metrics?metric=loudness', 'metric'],
    ['metrics?metric=loss&metric=jitter', 'metric'],
    ['metrics?metric=loss&sort=bad', 'sort'],
    ['load?by=codec', 'by'],
    ['load?by=site&by=trunk', 'by'],
    ['load?limit=0', 'limit'],
    ['load?values=Oslo', 'values'],
    ['load?by=site&values=', 'values'],
    ['load?bucketSeconds=0', 'bucketSeconds'],
    ['load?from=2020-01-01T00:00:00Z', 'bucketSeconds'],
    ['load?address=here', 'address'],
  ])('reply 400 to %s', async (path, name) => {
    const { status, body } = await aggregator.get<Problem>(`/api/statistics/${path}`, around.operator);
    expect([status, body.code, body.parameters?.[0]?.name]).toEqual([400, 'bad-parameter', name]);
  });

  it.each([
    ['by', 'streams?by=site&by=codec'],
    ['sort', 'streams?sort=bad&sort=streams'],
    ['metric', 'metrics?metric=loss&metric=jitter'],
    ['uploads', 'total?uploads=only&uploads=include'],
    ['bucketSeconds', 'load?bucketSeconds=60&bucketSeconds=120'],
  ])('say of %s that it is given more than once in %s', async (name, path) => {
    const { body } = await aggregator.get<Problem>(`/api/statistics/${path}`, around.operator);
    expect(body.parameters).toEqual([{ name, reason: `${name} is given more than once`, code: 'repeated' }]);
  });

  it.each(['statistics/streams', 'statistics/metrics?metric=loss', 'statistics/load', 'suspects', 'sip-failures'])(
    'reply 400 to a time without an end that begins after now: %s',
    async (path) => {
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
      const query = `${path.includes('?') ? '&' : '?'}from=${tomorrow}`;
      const { status, body } = await aggregator.get<Problem>(`/api/${path}${query}`, around.operator);
      const reason = 'from must be before now where to is left out';
      expect([status, body.parameters]).toEqual([400, [{ name: 'from', reason, code: 'order' }]]);
    },
  );

  it.each(['streams', 'metrics?metric=loss', 'load'])('serve %s to operators only', async (path) => {
    expect((await aggregator.get<Problem>(`/api/statistics/${path}`)).status).toBe(401);
    expect((await aggregator.get<Problem>(`/api/statistics/${path}`, around.user)).status).toBe(403);
  });
});
