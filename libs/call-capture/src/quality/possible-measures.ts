import { isPossible } from '@ringdown/call-catalogue';
import type { VoiceMeasures } from './rtcp-report.js';

/** The metrics of the feed whose bounds the measurements have. */
const METRICS: Readonly<Record<keyof VoiceMeasures, string>> = {
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
};

/** Without those that cannot be. */
export function possibleMeasures(measures: VoiceMeasures): VoiceMeasures {
  const entries = Object.entries(measures);
  const possible = entries.filter(([name, value]) => {
    const metric = Object.hasOwn(METRICS, name) ? METRICS[name as keyof VoiceMeasures] : name; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has been looked up
    return typeof value === 'number' && isPossible(metric, value);
  });
  return possible.length === entries.length ? measures : Object.fromEntries(possible);
}
