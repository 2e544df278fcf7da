import {
  mediumDefaultThresholds,
  isCaptured,
  JUDGED_MEDIA,
  metricRow,
  MINIMUM_PACKETS,
  MOS_THRESHOLD,
  zeroWhenAbsent,
  type Threshold,
} from '@ringdown/call-catalogue/metrics';
import type { RecordVersion } from './verdicts.js';

/** The thresholds for streams of one medium. */
export interface MediumThresholds {
  readonly metrics: Readonly<Record<string, Threshold>>;
  /** For reports that count their packets: fewer are not meaningful. */
  readonly minimumPackets: number;
  /** Metrics that senders omit when they are zero (diagnostics-feed.md, 2.4). */
  readonly zeroWhenAbsent: readonly string[];
  /** For the mean opinion scores of audio. They have a level, but do not change the verdict (diagnostics-feed.md, 5). */
  readonly mos?: Threshold | undefined;
}

/** By media type, and `videosharing` for shared screens that are sent as video. */
export type ThresholdProfile = Readonly<Record<string, MediumThresholds>>;

/** By the version of the record that reports a metric; `RTP` for what senders measured in captured media. */
export type ProfileName = RecordVersion | 'RTP';

const VERSIONS: readonly RecordVersion[] = ['1.0', 'A', 'C', 'D'];

export const PROFILE_NAMES: readonly ProfileName[] = [...VERSIONS, 'RTP'];

export type ThresholdProfiles = Readonly<Record<ProfileName, ThresholdProfile>>;

/** Of a record without a version: only C may leave it out (diagnostics-feed.md, 2.1). Unknown versions are as the newest. */
export function profileFor(version = 'C'): RecordVersion {
  return VERSIONS.find((name) => name === version) ?? 'D';
}

/** The profile of one metric of a report. */
export function profileOfMetric(metric: string, version: ProfileName): ProfileName {
  return isCaptured(metric) ? 'RTP' : version;
}

/** The thresholds of the feed's own manager (diagnostics-feed.md, section 5), by the rows of the catalogue. */
export const defaultThresholds: ThresholdProfile = Object.fromEntries(
  JUDGED_MEDIA.map((medium): readonly [string, MediumThresholds] => [
    medium,
    {
      metrics: mediumDefaultThresholds(medium),
      minimumPackets: MINIMUM_PACKETS[medium],
      zeroWhenAbsent: zeroWhenAbsent(medium),
      ...(medium === 'audio' ? { mos: MOS_THRESHOLD } : {}),
    },
  ]),
);

/** The same for all versions: their metrics have the same units, and those of 1.0 and A have the sender's own limits. */
export const defaultProfiles: ThresholdProfiles = {
  '1.0': defaultThresholds,
  A: defaultThresholds,
  C: defaultThresholds,
  D: defaultThresholds,
  RTP: defaultThresholds,
};

/** The thresholds show the direction of an unknown metric, unless they are equal. */
export function lowerIsWorse(metric: string, threshold?: Threshold): boolean {
  if (threshold === undefined || threshold.optimal === threshold.acceptable)
    return metricRow(metric)?.better === 'higher';
  return threshold.optimal > threshold.acceptable;
}
