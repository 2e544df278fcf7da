import { eventually } from '@ringdown/testing/eventually';
import type { MetricSeries } from '@ringdown/answers/quality';
import type { StreamPoint } from '../src/calls/streams/metric-series.js';
import type { JudgedQuality } from '../src/calls/quality/judged-call.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, reportXml, startXml } from './feed-examples.js';

const METRICS =
  '<PacketUtilization>3000</PacketUtilization><JitterInterArrival Limit="25">30</JitterInterArrival><OverallAvgNetworkMOS>3.4</OverallAvgNetworkMOS>';
const LEVELS = {
  JitterInterArrival: {
    value: 30,
    limit: 25,
    unit: 'ms',
    level: 'bad',
    threshold: 25,
    thresholdFrom: 'sender',
    profile: null,
  },
  OverallAvgNetworkMOS: {
    value: 3.4,
    unit: 'mos',
    level: 'poor',
    threshold: 3.6,
    thresholdFrom: 'profile',
    profile: '1.0',
  },
  PacketUtilization: {
    value: 3_000,
    unit: 'count',
    level: 'unjudged',
    threshold: null,
    thresholdFrom: null,
    profile: null,
  },
};

describe('the metrics of a call', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const callId = 'Measured';
    await around.publish(published(startXml({ callId })), published(reportXml({ callId }, 'audio', METRICS)));
    await around.call(aggregator, callId, ({ version }) => version === 2);
  });
  afterAll(() => around.stop());

  async function follow(token: string): Promise<{ points: () => readonly StreamPoint[]; stop: () => Promise<void> }> {
    const abort = new AbortController();
    const response = await fetch(`${aggregator.origin}/api/calls/streamed/metrics/stream`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    expect(response.status).toBe(200);
    let seen = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) seen += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    const points = (): readonly StreamPoint[] =>
      [...seen.matchAll(/^event: point\ndata: (.*)\n\n/gm)].map(([, data = '']): StreamPoint => JSON.parse(data));
    const stop = async (): Promise<void> => {
      abort.abort();
      await reading;
    };
    return { points, stop };
  }

  it('have units, levels and thresholds in the call and in its series', async () => {
    const call = await aggregator.get<{ quality: readonly JudgedQuality[] }>('/api/calls/Measured', around.operator);
    expect(call.body.quality[0]).toMatchObject({ version: '1.0' });
    expect(call.body.quality[0]?.metrics).toEqual(LEVELS);
    expect(call.body.quality[0]?.mos).toEqual({ network: LEVELS.OverallAvgNetworkMOS });
    const path = '/api/calls/measured/metrics';
    const series = await aggregator.get<{ items: readonly MetricSeries[] }>(path, around.operator);
    const at = '2026-03-02T10:03:25.000Z';
    expect(series.body.items).toMatchObject([
      { mediaType: 'audio', points: [{ at, final: true, metrics: LEVELS, mos: { network: { level: 'poor' } } }] },
    ]);
    const hidden = await aggregator.get<{ items: readonly MetricSeries[] }>(path, around.plainOperator);
    expect(hidden.body.items[0]?.points).toEqual(series.body.items[0]?.points);
  });

  it('follow a reader of their stream as they come', async () => {
    const callId = 'Streamed';
    const inCall = (jitter: number): string =>
      reportXml({ callId }, 'audio', `<JitterInterArrival>${jitter}</JitterInterArrival>`);
    await around.publish(published(startXml({ callId })), published(inCall(3)));
    await around.call(aggregator, callId, ({ version }) => version === 2);
    const [shown, hidden] = await Promise.all([follow(around.operator), follow(around.plainOperator)]);
    await eventually('the first report', () => [shown, hidden].every(({ points }) => points().length === 1));
    await around.publish(published(inCall(40)));
    await eventually('the second report', () => [shown, hidden].every(({ points }) => points().length === 2));
    const levels = shown.points().map(({ mediaType, metrics }) => [mediaType, metrics['JitterInterArrival']?.level]);
    expect(levels).toEqual([
      ['audio', 'good'],
      ['audio', 'bad'],
    ]);
    expect(JSON.stringify(shown.points())).toContain('anna');
    expect(JSON.stringify(hidden.points())).not.toContain('anna');
    await Promise.all([shown.stop(), hidden.stop()]);
  });

  it.each(['/api/calls/none/metrics/stream', '/api/calls/none/metrics', '/api/calls/a%00b/metrics'])(
    'do not exist at %s',
    async (path) => {
      expect((await aggregator.get(path, around.operator)).status).toBe(404);
    },
  );
});
