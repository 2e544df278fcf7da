import type { LoadDimension } from '@ringdown/call-catalogue/filters';
import type { CallFilter } from '../../../search/filter/call-filter.js';
import type { Buckets } from '../buckets.js';

export interface LoadQuestion {
  readonly filter: CallFilter;
  readonly buckets: Buckets;
  /** Undefined: everything together. */
  readonly by?: LoadDimension | undefined;
  /** The maximum number of values: those with the most calls. */
  readonly limit: number;
  /** Only these, as they are counted, also without calls: `limit` does not apply. */
  readonly only?: readonly string[] | undefined;
  /** Shown too, also if they are not among the first. */
  readonly also?: readonly string[] | undefined;
}

/** The maximum at the same time within one bucket. */
export interface Load {
  /** When the bucket begins. */
  readonly at: string;
  /** Null when it is not known, and when everything is counted together. */
  readonly value: string | null;
  readonly calls: number;
  /** The sum of all streams, both directions; bit/s as estimated by the records. */
  readonly averageBandwidth: number;
  readonly maximumBandwidth: number;
  /** Calls that began in the bucket. */
  readonly attempts: number;
  /** In the minute of the bucket in which most calls began. */
  readonly attemptsPerSecond: number;
}

/** The load of one value in the whole period. Times are those of minutes, null when there was nothing. */
export interface LoadOfValue {
  readonly value: string | null;
  readonly peak: { readonly calls: number; readonly at: string | null };
  /** 95 % of the minutes had at most this maximum. */
  readonly p95: { readonly calls: number; readonly averageBandwidth: number };
  readonly bandwidthPeak: { readonly averageBandwidth: number; readonly at: string | null };
  readonly attempts: number;
  readonly attemptsPeak: { readonly perSecond: number; readonly at: string | null };
  /** Calls that a trunk may have at a time, if an admin has set it. */
  readonly limit: number | null;
  readonly minutesAboveLimit: number | null;
}

export interface LoadCounts {
  /** Those with the highest peaks first. */
  readonly values: readonly LoadOfValue[];
  readonly valuesLeftOut: number;
  /** By time, then by value; with a dimension, empty buckets are omitted. */
  readonly items: readonly Load[];
}
