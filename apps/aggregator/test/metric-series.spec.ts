import type { MetricSeries } from '../src/calls/metric-series.js';
import type { JudgedQuality } from '../src/calls/judged-call.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, reportXml, startXml } from './feed-examples.js';

const METRICS =
  '<PacketUtilization>3000</PacketUtilization><JitterInterArrival Limit="25">30</JitterInterArrival><OverallAvgNetworkMOS>3.4</OverallAvgNetworkMOS>';
const LEVELS = {
  JitterInterArrival: { value: 30, limit: 25, unit: 'ms', level: 'bad', threshold: 25, thresholdFrom: 'sender' },
  OverallAvgNetworkMOS: { value: 3.4, unit: 'mos', level: 'poor', threshold: 3.6, thresholdFrom: 'profile' },
  PacketUtilization: { value: 3_000, unit: 'count', level: 'unjudged', threshold: null, thresholdFrom: null },
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

  it('have units, levels and thresholds in the call and in its series', async () => {
    const call = await aggregator.get<{ quality: readonly JudgedQuality[] }>('/api/calls/Measured', around.operator);
    expect(call.body.quality[0]?.metrics).toEqual(LEVELS);
    expect(call.body.quality[0]?.mos).toEqual({ network: LEVELS.OverallAvgNetworkMOS });
    const path = '/api/calls/measured/metrics';
    const series = await aggregator.get<{ items: readonly MetricSeries[] }>(path, around.operator);
    const at = '2026-03-02T10:03:25.000Z';
    expect(series.body.items).toMatchObject([
      { mediaType: 'audio', points: [{ at, final: true, metrics: LEVELS, mos: { network: { level: 'poor' } } }] },
    ]);
  });

  it.each(['/api/calls/none/metrics', '/api/calls/a%00b/metrics'])('do not exist at %s', async (path) => {
    expect((await aggregator.get(path, around.operator)).status).toBe(404);
  });
});
