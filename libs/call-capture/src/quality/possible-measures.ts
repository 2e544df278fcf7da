import { isPossible, type MetricName } from '@ringdown/call-catalogue/metrics';
import type { VoiceMeasures } from './rtcp-report.js';

/** The metrics of the feed as which measurements are reported, and whose bounds they have. */
export const MEASURED = {
  packets: 'PacketUtilization',
  lossRate: 'PacketLossRate',
  lossMaxRate: 'PacketLossRateMax',
  jitterMs: 'JitterInterArrival',
  jitterMaxMs: 'JitterInterArrivalMax',
  roundTripMs: 'RoundTrip',
  listeningMos: 'OverallAvgNetworkMOS',
  burstMs: 'BurstDuration',
  gapMs: 'BurstGapDuration',
  burstDensity: 'BurstDensity',
  gapDensity: 'BurstGapDensity',
  computedMos: 'ComputedMOS',
} as const satisfies Readonly<Record<keyof VoiceMeasures, MetricName>>;

/** Without those that cannot be. */
export function possibleMeasures(measures: VoiceMeasures): VoiceMeasures {
  const entries = Object.entries(measures);
  const possible = entries.filter(([name, value]) => {
    const metric = Object.hasOwn(MEASURED, name) ? MEASURED[name as keyof VoiceMeasures] : name; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has been looked up
    return typeof value === 'number' && isPossible(metric, value);
  });
  return possible.length === entries.length ? measures : Object.fromEntries(possible);
}
