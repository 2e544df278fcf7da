import type { Metric } from '@ringdown/xml-schemas';

/** The three states of a stream (diagnostics-feed.md, 5). */
export type StreamLevel = 'good' | 'poor' | 'bad';

interface Threshold {
  readonly optimal: number;
  readonly acceptable: number;
}

/** Of the metrics that the sender measures. */
export const THRESHOLDS: Readonly<Record<string, Readonly<Record<string, Threshold>>>> = {
  audio: {
    PacketLossRate: { optimal: 0.02, acceptable: 0.05 },
    JitterInterArrival: { optimal: 15, acceptable: 25 },
    RoundTrip: { optimal: 200, acceptable: 500 },
  },
  video: { VideoPacketLossRate: { optimal: 0.05, acceptable: 0.1 } },
};

/** Good if no metric is worse than optimal, bad if one is worse than acceptable. */
export function levelOf(mediaType: string, metrics: Readonly<Record<string, Metric>>): StreamLevel {
  let level: StreamLevel = 'good';
  for (const [name, { optimal, acceptable }] of Object.entries(THRESHOLDS[mediaType] ?? {})) {
    const value = Number(metrics[name]?.value ?? 0);
    if (value > acceptable) return 'bad';
    if (value > optimal) level = 'poor';
  }
  return level;
}
