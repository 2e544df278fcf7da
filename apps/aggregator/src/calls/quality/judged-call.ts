import { type JudgedMetric, judgedMetrics, streamMos, type StreamMos } from '@ringdown/quality';
import type { ThresholdProfiles } from '@ringdown/quality/thresholds';
import type { Call, CallQuality } from '../call.js';

/** The quality of a stream with the level of each metric. */
export interface JudgedQuality extends Omit<CallQuality, 'metrics'> {
  readonly metrics: Readonly<Record<string, JudgedMetric>>;
  readonly mos: StreamMos;
}

/** Levels are computed when a call is shown: stored with each metric, they would double the size of many calls. */
export type Judged<C extends Pick<Call, 'quality'>> = Omit<C, 'quality'> & {
  readonly quality: readonly JudgedQuality[];
};

export function judged<C extends Pick<Call, 'quality'>>(call: C, profiles: ThresholdProfiles): Judged<C> {
  const quality = call.quality.map((each) => ({
    ...each,
    metrics: judgedMetrics(each, profiles),
    mos: streamMos(each, profiles),
  }));
  return { ...call, quality };
}
