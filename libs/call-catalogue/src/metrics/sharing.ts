import { COUNT, FRAME_RATE, MILLISECONDS, PERCENT, type MetricTable } from './metric-row.js';

/** Metrics of shared screens that are sent as tiles. */
export const SHARING_ROWS = {
  RelativeOneWayAverage: {
    // By its thresholds seconds; senders say milliseconds.
    ...COUNT,
    unit: null,
    better: 'lower',
    hiding: 'product',
    brief: 'one-way delay beside the smallest one; s by its thresholds, senders say ms',
    thresholds: { applicationsharing: { optimal: 1, acceptable: 1.75 } },
  },
  RelativeOneWayBurstDensity: {
    ...COUNT,
    better: 'lower',
    hiding: 'product',
    brief: 'bursts of that delay',
    thresholds: { applicationsharing: { optimal: 1_000, acceptable: 2_000 } },
  },
  RDPTileProcessingLatencyAverage: {
    ...MILLISECONDS,
    better: 'lower',
    hiding: 'product',
    brief: 'processing of a tile in the conferencing server',
    thresholds: { applicationsharing: { optimal: 200, acceptable: 400 } },
  },
  RDPTileProcessingLatencyBurstDensity: {
    ...COUNT,
    better: 'lower',
    hiding: 'product',
    brief: 'bursts of that time',
    thresholds: { applicationsharing: { optimal: 100, acceptable: 200 } },
  },
  SpoiledTilePercentTotal: {
    ...PERCENT,
    better: 'lower',
    hiding: 'product',
    brief: 'tiles that were replaced before they were sent',
    thresholds: { applicationsharing: { optimal: 11, acceptable: 36 } },
  },
  SpoiledTilePercentAverage: { ...PERCENT, better: 'lower', hiding: 'product', brief: 'the same, as a mean' },
  FrameRate: { ...FRAME_RATE, better: 'higher', hiding: 'product', brief: 'frames' },
} as const satisfies MetricTable;
