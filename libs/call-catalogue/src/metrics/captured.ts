import { COUNT, JITTER, MOS, PACKET_RATE, SHARE, TEXT, UNKNOWN_UNIT, type MetricTable } from './metric-row.js';

/** What our sender measures in captured media: the way up to the capture point only. */
export const CAPTURED_ROWS = {
  CapturedPackets: { ...COUNT, better: 'neither', hiding: 'product', brief: 'packets, without duplicates' },
  CapturedPacketLossRate: {
    ...SHARE,
    better: 'lower',
    hiding: 'product',
    brief: 'lost packets',
    judgedAs: 'PacketLossRate',
  },
  CapturedPacketLossRateMax: { ...SHARE, better: 'lower', hiding: 'product', brief: 'the highest of any five seconds' },
  CapturedJitter: {
    ...JITTER,
    better: 'lower',
    hiding: 'product',
    brief: 'interarrival jitter (RFC 3550)',
    judgedAs: 'JitterInterArrival',
  },
  CapturedJitterMax: { ...JITTER, better: 'lower', hiding: 'product', brief: 'the same, at its worst' },
  CapturedPacketRate: {
    ...PACKET_RATE,
    better: 'neither',
    hiding: 'product',
    brief: "packets, without jumps of the capture's clock",
  },
  CapturedReordered: {
    ...COUNT,
    better: 'lower',
    hiding: 'product',
    brief: 'packets out of order; left out if there are none, as the next five',
  },
  CapturedDuplicates: { ...COUNT, better: 'lower', hiding: 'product', brief: 'packets that came twice' },
  CapturedLate: {
    ...COUNT,
    better: 'lower',
    hiding: 'product',
    brief: 'packets that came more than 100 ms later than those before them: many phones cannot play them',
  },
  CapturedSsrcChanges: { ...COUNT, better: 'neither', hiding: 'product', brief: 'times that the SSRC changed' },
  CapturedRestarts: {
    ...COUNT,
    better: 'neither',
    hiding: 'product',
    brief: 'times that the sequence numbers continued elsewhere',
  },
  CapturedClockJumps: {
    ...COUNT,
    better: 'neither',
    hiding: 'product',
    brief: 'times that the clock of the sender or of the capture jumped by three seconds or more',
  },
  CapturedCodec: { ...TEXT, better: 'neither', hiding: 'codec', brief: 'encoding of most packets' },
  CapturedDscp: {
    ...UNKNOWN_UNIT,
    better: 'neither',
    hiding: 'product',
    brief: 'code point of the last packet (also `DSCPInbound` of `To`)',
  },
  CapturedSilence: {
    ...TEXT,
    better: 'neither',
    hiding: 'product',
    brief:
      '`comfort noise` or `constant level`: nearly all packets were comfort noise, or G.711 whose bytes are all equal',
  },
  CapturedOneWay: {
    ...COUNT,
    better: 'lower',
    hiding: 'product',
    brief: '1: both sides agreed to send, and no packet of the other direction was captured',
  },
  ComputedMOS: {
    ...MOS,
    better: 'higher',
    hiding: 'product',
    brief: 'by the E-model, up to 4.5: no one has listened',
    score: 'computed',
  },
} as const satisfies MetricTable;

export type CapturedMetric = keyof typeof CAPTURED_ROWS;
