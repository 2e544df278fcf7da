import type { LoadDimension } from '@ringdown/call-catalogue/filters';
import type { Dimension, StatisticsUnit, StreamMetric } from './catalogue.js';
import type { Amount, AtLeastOne, Count, Integer, OptionalTime, Time } from './values.js';

/** By how much the server of `DATABASE_READ_URL` was behind; absent without it */
export type LagSeconds = Amount;

export interface StreamStatistics {
  readonly lagSeconds?: LagSeconds;
  readonly from: Time;
  readonly to: Time;
  /** @minimum 60 */
  readonly bucketSeconds: Integer;
  readonly by: Dimension | null;
  readonly valuesLeftOut: Count;
  readonly items: readonly StreamCount[];
  /**
   * With `compare=before`: the same counts of the period before, in buckets that begin at its `from`. Contains the
   * values of `items`, and the first values of that period, which may have nothing now.
   */
  readonly before?: {
    readonly from: Time;
    readonly to: Time;
    readonly items: readonly StreamCount[];
  };
}

export interface StreamCount {
  /** When the bucket begins */
  readonly at: Time;
  /** Null if it is not known, and without `by` */
  readonly value: string | null;
  readonly calls: Count;
  readonly failedCalls: Count;
  readonly expiredCalls: Count;
  /** One medium in one direction, by verdict: */
  readonly streams: Count;
  readonly good: Count;
  readonly poor: Count;
  readonly bad: Count;
  readonly unknown: Count;
}

export interface MetricStatistics {
  readonly lagSeconds?: LagSeconds;
  readonly from: Time;
  readonly to: Time;
  /** @minimum 60 */
  readonly bucketSeconds: Integer;
  readonly by: Dimension | null;
  readonly metric: StreamMetric;
  /** For `bounds` and all values; a ratio of 1 is everything */
  readonly unit: StatisticsUnit;
  /**
   * Upper bounds of the classes of `distribution`; a value equal to a bound is inside. Always the same for a
   * metric; they include the default thresholds of quality.
   */
  readonly bounds: readonly Amount[];
  readonly valuesLeftOut: Count;
  readonly items: readonly MetricItem[];
  /**
   * With `compare=before`: the same counts of the period before, in buckets that begin at its `from`. Contains the
   * values of `items`, and the first values of that period, which may have nothing now.
   */
  readonly before?: {
    readonly from: Time;
    readonly to: Time;
    readonly items: readonly MetricItem[];
  };
}

export interface MetricItem {
  /** When the bucket begins */
  readonly at: Time;
  /** Null if it is not known, and without `by` */
  readonly value: string | null;
  /** With a known metric; for times of the setup, calls */
  readonly streams: AtLeastOne;
  readonly average: Amount;
  /** Half of the streams have at most this value; up to 5 % too high */
  readonly p50: Amount;
  readonly p90: Amount;
  readonly p95: Amount;
  readonly p99: Amount;
  readonly max: Amount;
  /** Streams in each class, one more than `bounds` has; the last class contains all higher values */
  readonly distribution: readonly Count[];
}

/** @examples [{"calls":812,"exact":true}] */
export interface CallTotal {
  readonly lagSeconds?: LagSeconds;
  readonly calls: Count;
  /** `false`: estimated by the database, more than 10,000 */
  readonly exact: boolean;
}

export interface LoadStatistics {
  readonly lagSeconds?: LagSeconds;
  readonly from: Time;
  readonly to: Time;
  /** @minimum 60 */
  readonly bucketSeconds: Integer;
  readonly by: LoadDimension | null;
  /** The whole period, the highest peaks first: those with the most calls, or those of `values` */
  readonly values: readonly LoadOfValue[];
  readonly valuesLeftOut: Count;
  /** With `by`, without the buckets in which a value has no calls */
  readonly items: readonly LoadItem[];
  /**
   * With `compare=before`: the load of the period before, in buckets that begin at its `from`. Contains the values of this period,
   * and the first values of that one
   */
  readonly before?: {
    readonly from: Time;
    readonly to: Time;
    readonly values: readonly LoadOfValue[];
    readonly items: readonly LoadItem[];
  };
}

export interface LoadItem {
  /** When the bucket begins */
  readonly at: Time;
  /** Null if it is not known, and without `by` */
  readonly value: string | null;
  /** The most at the same time */
  readonly calls: Count;
  /** bit/s of all streams, by the estimates in the records */
  readonly averageBandwidth: Amount;
  readonly maximumBandwidth: Amount;
  /** Calls that began in the bucket, answered or not */
  readonly attempts: Count;
  /** In the minute of the bucket in which most calls began */
  readonly attemptsPerSecond: Amount;
}

/** Minutes are counted from `from`; `at` is when one begins, the first of several with the same load, and null if there was none */
export interface LoadOfValue {
  /** Null if it is not known, and without `by` */
  readonly value: string | null;
  readonly peak: {
    readonly calls: Count;
    readonly at: OptionalTime;
  };
  /** 95 % of all minutes, those without a call included, had at most this at any time */
  readonly p95: {
    readonly calls: Count;
    readonly averageBandwidth: Amount;
  };
  readonly bandwidthPeak: {
    readonly averageBandwidth: Amount;
    readonly at: OptionalTime;
  };
  /** Calls that began in the period, answered or not */
  readonly attempts: Count;
  /** In the minute in which most calls began */
  readonly attemptsPeak: {
    readonly perSecond: Amount;
    readonly at: OptionalTime;
  };
  /** The calls that the trunk may have at the same time, if an admin has set it */
  readonly limit: Integer | null;
  /** Minutes with more calls than `limit` at any time; null without a limit */
  readonly minutesAboveLimit: Count | null;
}

export interface CallSurroundings {
  readonly lagSeconds?: LagSeconds;
  /** The whole hour (UTC) in which the call began */
  readonly from: Time;
  readonly to: Time;
  /** At most two values of each dimension; none for calls of uploads */
  readonly items: readonly SurroundingCalls[];
}

export interface SurroundingCalls {
  readonly dimension: Dimension;
  /** Of the call, shown as in statistics */
  readonly value: string;
  /** What is wrong with the call: it failed by a fault, somebody heard nothing, or (also if nothing is wrong) the verdict `bad` */
  readonly problem: 'bad' | 'failed' | 'noAudio';
  readonly hour: TroubledCalls;
  /** In the seven days before that hour, the newest 300 calls of each day */
  readonly usual: TroubledCalls;
  /** Parameters of `GET /api/calls` that find the calls with the problem in that hour */
  readonly search: Readonly<Record<string, string>>;
}

/** Calls with the value of the call */
export interface TroubledCalls {
  /** Of failures those that are over, else those with a verdict */
  readonly calls: Count;
  /** With the problem */
  readonly bad: Count;
}

export interface SipFailures {
  /** Of the sender that saw them */
  readonly frontEnd: string;
  readonly method: 'REGISTER' | 'OPTIONS' | 'MESSAGE' | 'SUBSCRIBE';
  /**
   * Of the response; `none` without one, `other` beyond the limits of the sender
   * @examples ["403","none"]
   */
  readonly status: string;
  /** IP address of the system that sent the requests, of OPTIONS that of the pinged system; `other` beyond the limits of the sender */
  readonly peer: string;
  readonly failures: AtLeastOne;
  /** When the first report of them was received */
  readonly firstAt: Time;
  /** When the last report of them was received */
  readonly lastAt: Time;
}

export interface SipFailureList {
  /** All failures, also of kinds that are left out */
  readonly total: Count;
  readonly items: readonly SipFailures[];
  /** Kinds that are left out */
  readonly more: Count;
}

/** Peers whose requests outside of calls have failed in the last hour, those with the most failures first */
export interface FailingPeerList {
  readonly from: Time;
  readonly to: Time;
  readonly items: readonly FailingPeer[];
  /** Peers that are left out */
  readonly more: Count;
}

export interface FailingPeer {
  /** IP address, as in `GET /api/sip-failures` */
  readonly peer: string;
  /** `flapping`: it failed in three slots or more, and was quiet in three or more between them. `failing`: it failed in one of the last three. `over`: not any more */
  readonly state: 'failing' | 'flapping' | 'over';
  readonly methods: readonly SipFailures['method'][];
  readonly statuses: readonly string[];
  readonly frontEnds: readonly string[];
  readonly failures: AtLeastOne;
  /** Failures in each five minutes of the hour, the earliest first */
  readonly slots: readonly Count[];
  /** Of the newest call of the last day with this address; null if it does not tell. Only of the first 20 peers */
  readonly trunk: string | null;
  readonly userAgent: string | null;
}
