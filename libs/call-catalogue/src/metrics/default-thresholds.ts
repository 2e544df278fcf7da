import type { JudgedMedium, MetricRow, Threshold } from './metric-row.js';
import { METRICS } from './metrics.js';

export const JUDGED_MEDIA: readonly JudgedMedium[] = ['audio', 'video', 'applicationsharing', 'videosharing'];

const ROWS = Object.entries<MetricRow>(METRICS);

/** Of the metrics of one medium, by the default profile. */
export function mediumDefaultThresholds(medium: JudgedMedium): Readonly<Record<string, Threshold>> {
  return Object.fromEntries(
    ROWS.flatMap(([name, { thresholds }]) => (thresholds?.[medium] ? [[name, thresholds[medium]] as const] : [])),
  );
}

/** Those with a default threshold for any medium. */
export const JUDGED_METRICS: readonly string[] = ROWS.flatMap(([name, { thresholds }]) => (thresholds ? [name] : []));

/** Metrics that senders omit when they are zero. */
export function zeroWhenAbsent(medium: JudgedMedium): readonly string[] {
  return ROWS.filter(([, row]) => row.zeroWhenAbsent?.includes(medium)).map(([name]) => name);
}

/** Ratings of 70 and 60 of ITU-T G.109, below which some and many users are dissatisfied; for all scores of audio. */
export const MOS_THRESHOLD: Threshold = { optimal: 3.6, acceptable: 3.1 };

/** Reports that count fewer packets are not meaningful. A still picture needs only a few. */
export const MINIMUM_PACKETS: Readonly<Record<JudgedMedium, number>> = {
  audio: 500,
  video: 500,
  applicationsharing: 0,
  videosharing: 500,
};
