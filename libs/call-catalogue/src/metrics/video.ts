import { BIT_RATE, FRAME_RATE, PERCENT, SHARE, type MetricTable, type Threshold } from './metric-row.js';

const LOSS: Threshold = { optimal: 0.05, acceptable: 0.1 };
const SHARE_OF_TIME: Threshold = { optimal: 5, acceptable: 10 };
const FRAMES: Threshold = { optimal: 12, acceptable: 7 };

/** Metrics of video, also of screens that are sent as video. */
export const VIDEO_ROWS = {
  VideoPacketLossRate: {
    ...SHARE,
    better: 'lower',
    hiding: 'product',
    brief: 'lost packets, of all that were sent',
    thresholds: { video: LOSS, videosharing: LOSS },
    zeroWhenAbsent: ['video', 'videosharing'],
    hasLimit: true,
  },
  VideoPostFECPLR: {
    ...SHARE,
    better: 'lower',
    hiding: 'product',
    brief: 'the same, after forward error correction',
    thresholds: { video: LOSS, videosharing: LOSS },
  },
  VideoFrameLossRate: { ...SHARE, better: 'lower', hiding: 'product', brief: 'lost frames' },
  VideoLocalFrameLossPercentageAvg: {
    ...PERCENT,
    better: 'lower',
    hiding: 'product',
    brief: 'lost frames',
    thresholds: { video: SHARE_OF_TIME, videosharing: SHARE_OF_TIME },
    hasLimit: true,
  },
  LocalFrameLossPercentageAvg: {
    ...PERCENT,
    better: 'lower',
    hiding: 'product',
    brief: 'lost frames, in older versions',
  },
  LowFrameRateCallPercent: {
    ...PERCENT,
    better: 'lower',
    hiding: 'product',
    brief: 'time below 7.5 frames a second',
    thresholds: { video: SHARE_OF_TIME, videosharing: SHARE_OF_TIME },
  },
  LowResolutionCallPercent: {
    ...PERCENT,
    better: 'lower',
    hiding: 'product',
    brief: 'time below 120 lines',
    thresholds: { video: SHARE_OF_TIME, videosharing: SHARE_OF_TIME },
  },
  DynamicCapabilityPercent: {
    ...PERCENT,
    better: 'lower',
    hiding: 'product',
    brief: 'time with too little CPU',
    thresholds: { video: SHARE_OF_TIME, videosharing: SHARE_OF_TIME },
  },
  RecvFrameRateAverage: {
    ...FRAME_RATE,
    better: 'higher',
    hiding: 'product',
    brief: 'frames received',
    thresholds: { video: FRAMES, videosharing: FRAMES },
    hasLimit: true,
  },
  VideoFrameRateAvg: {
    ...FRAME_RATE,
    better: 'higher',
    hiding: 'product',
    brief: 'frames',
    thresholds: { video: FRAMES, videosharing: FRAMES },
  },
  VGAQualityRatio: { ...PERCENT, better: 'higher', hiding: 'product', brief: 'time at VGA' },
  HDQualityRatio: { ...PERCENT, better: 'higher', hiding: 'product', brief: 'time at HD' },
  BitRateAvg: { ...BIT_RATE, better: 'neither', hiding: 'product', brief: 'mean bit rate' },
  BitRateMax: { ...BIT_RATE, better: 'neither', hiding: 'product', brief: 'highest bit rate' },
} as const satisfies MetricTable;
