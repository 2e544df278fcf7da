import { readFileSync } from 'node:fs';
import { defaultThresholds, lowerIsWorse } from './thresholds.js';

/** The table of the protocol page (diagnostics-feed.md, section 5), copied, with its short names in full. */
const PAGE = `
audio DegradationAvg 0.6 1
audio RoundTrip 200 500
audio PacketLossRate 0.02 0.05
audio JitterInterArrival 15 25
audio RatioConcealedSamplesAvg 0.03 0.07
audio RatioStretchedSamplesAvg 1 1
audio RatioCompressedSamplesAvg 1 1
audio DeviceHalfDuplexAECEventRatio 0.1 0.3
audio DeviceRenderNotFunctioningEventRatio 0.1 0.3
audio DeviceCaptureNotFunctioningEventRatio 0.1 0.3
video VideoPacketLossRate 0.05 0.1
video VideoPostFECPLR 0.05 0.1
video VideoLocalFrameLossPercentageAvg 5 10
video LowFrameRateCallPercent 5 10
video LowResolutionCallPercent 5 10
video DynamicCapabilityPercent 5 10
video RecvFrameRateAverage 12 7
video VideoFrameRateAvg 12 7
applicationsharing AppliedBandwidthLimit 1000000 500000
applicationsharing SpoiledTilePercentTotal 11 36
applicationsharing JitterInterArrival 50 100
applicationsharing RelativeOneWayBurstDensity 1000 2000
applicationsharing RelativeOneWayAverage 1 1.75
applicationsharing RDPTileProcessingLatencyBurstDensity 100 200
applicationsharing RDPTileProcessingLatencyAverage 200 400
videosharing AppliedBandwidthLimit 15000 14000`;

interface Line {
  readonly medium: string;
  readonly metric: string;
  readonly optimal: number;
  readonly acceptable: number;
}

const lines = PAGE.trim()
  .split('\n')
  .map((line): Line => {
    const [medium = '', metric = '', optimal, acceptable] = line.split(' ');
    return { medium, metric, optimal: Number(optimal), acceptable: Number(acceptable) };
  });

describe('the default thresholds', () => {
  it.each(lines)('match the page for $medium and $metric', ({ medium, metric, optimal, acceptable }) => {
    expect(defaultThresholds[medium]?.metrics[metric]).toEqual({ optimal, acceptable });
  });

  it('contain only what the page contains, except for shared screens that are sent as video', () => {
    const known = lines.map(({ medium, metric }) => `${medium} ${metric}`);
    const ofVideo = Object.keys(defaultThresholds['video']?.metrics ?? {}).map((metric) => `videosharing ${metric}`);
    const ours = Object.entries(defaultThresholds).flatMap(([medium, { metrics }]) =>
      Object.keys(metrics).map((metric) => `${medium} ${metric}`),
    );
    expect(ours.toSorted()).toEqual([...known, ...ofVideo].toSorted());
  });

  it('treat less as worse where the page does, and nowhere else', () => {
    const worse = new Set(lines.filter((line) => lowerIsWorse(line.metric, line)).map(({ metric }) => metric));
    expect([...worse]).toEqual(['RecvFrameRateAverage', 'VideoFrameRateAvg', 'AppliedBandwidthLimit']);
  });
});

describe('docs/records.md', () => {
  it('documents the unit of every metric that verdicts use', () => {
    const reference = readFileSync(new URL('../../../../docs/records.md', import.meta.url), 'utf8');
    const [, units = ''] = /### Metrics\n(.*?)\n### /s.exec(reference) ?? [];
    const metrics = Object.values(defaultThresholds).flatMap((medium) => Object.keys(medium.metrics));
    expect(metrics.filter((metric) => !units.includes(`\`${metric}\``))).toEqual([]);
  });
});
