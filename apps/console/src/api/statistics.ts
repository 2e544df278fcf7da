// Shapes of docs/openapi.yaml, as far as the view of the quality needs them.

import type { Verdict } from './calls.js';

/** What streams are counted by. */
export type Dimension = 'site' | 'subnet' | 'frontEnd' | 'userAgent' | 'codec' | 'connection' | 'medium';

/** One time cut into buckets, the last of which may be shorter. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly bucketSeconds: number;
}

export interface StreamCount extends Readonly<Record<Verdict, number>> {
  readonly at: string;
  /** Null where it is not known, and where everything is counted together. */
  readonly value: string | null;
  readonly calls: number;
  readonly streams: number;
}

/** Buckets and values in which nothing was are left out. */
export interface StreamStatistics extends Asked {
  readonly by: Dimension | null;
  readonly items: readonly StreamCount[];
  readonly valuesLeftOut: number;
}

/** What is measured of streams, whatever their medium. */
export type StreamMetric = 'loss' | 'jitter' | 'roundTrip';

export interface MetricItem {
  readonly at: string;
  readonly value: string | null;
  readonly streams: number;
  readonly average: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Streams in each class; one more than there are bounds, the last one of everything above. */
  readonly distribution: readonly number[];
}

export interface MetricStatistics extends Asked {
  readonly by: Dimension | null;
  readonly metric: StreamMetric;
  /** Upper bounds of the classes, rising; a value that is equal to one is inside. */
  readonly bounds: readonly number[];
  readonly items: readonly MetricItem[];
}
