export type Verdict = 'good' | 'poor' | 'bad' | 'unknown';

export const VERDICTS: readonly Verdict[] = ['good', 'poor', 'bad', 'unknown'];

/** Versions of records with thresholds of their own. */
export type RecordVersion = '1.0' | 'A' | 'C' | 'D';

/** `tooFewPackets`: too few to be meaningful. `nothingToJudge`: no metric that has a threshold. */
export type Withheld = 'tooFewPackets' | 'nothingToJudge';

/** The metric that made a verdict poor or bad: the one that exceeds its threshold most. */
export interface VerdictCause {
  readonly metric: string;
  readonly value: number;
  readonly threshold: number;
  /** `sender`: the limit that the record has beside the value. */
  readonly thresholdFrom: 'sender' | 'profile';
  /** Whose threshold it is, if it is from a profile. Absent from calls that an earlier release stored last. */
  readonly profile?: RecordVersion;
}
