import { BANDWIDTH, DELAY, JITTER, PACKETS, SHARE, type MetricTable } from './metric-row.js';

/** Metrics of streams of any medium. */
export const STREAM_ROWS = {
  PacketUtilization: { ...PACKETS, better: 'neither', hiding: 'product', brief: 'packets received' },
  PacketLossRate: {
    ...SHARE,
    better: 'lower',
    hiding: 'product',
    brief: 'lost packets, of all that were sent',
    thresholds: { audio: { optimal: 0.02, acceptable: 0.05 } },
    zeroWhenAbsent: ['audio'],
  },
  PacketLossRateMax: { ...SHARE, better: 'lower', hiding: 'product', brief: 'the same, at its worst' },
  JitterInterArrival: {
    ...JITTER,
    better: 'lower',
    hiding: 'product',
    brief: 'interarrival jitter (RFC 3550)',
    thresholds: {
      audio: { optimal: 15, acceptable: 25 },
      applicationsharing: { optimal: 50, acceptable: 100 },
    },
    zeroWhenAbsent: ['audio'],
  },
  JitterInterArrivalMax: { ...JITTER, better: 'lower', hiding: 'product', brief: 'the same, at its worst' },
  RoundTrip: {
    ...DELAY,
    better: 'lower',
    hiding: 'product',
    brief: 'round-trip time',
    thresholds: { audio: { optimal: 200, acceptable: 500 } },
  },
  RoundTripMax: { ...DELAY, better: 'lower', hiding: 'product', brief: 'the same, at its worst' },
  AppliedBandwidthLimit: {
    ...BANDWIDTH,
    better: 'higher',
    hiding: 'product',
    brief: 'what a policy, a server or an endpoint allowed at most',
    thresholds: {
      applicationsharing: { optimal: 1_000_000, acceptable: 500_000 },
      videosharing: { optimal: 15_000, acceptable: 14_000 },
    },
  },
} as const satisfies MetricTable;
