import type { WorstMetric } from '../metrics/statistics.js';

/** The numbers at which a range can end, in the unit of the interface. */
interface RangeLimits {
  readonly least: number;
  readonly most: number;
  /** At most so many digits after the point. */
  readonly decimals: number;
}

export const RANGE_LIMITS = {
  seconds: { least: 0, most: 86_400, decimals: 3 },
  milliseconds: { least: 0, most: 600_000, decimals: 3 },
  share: { least: 0, most: 1, decimals: 6 },
  mos: { least: 1, most: 5, decimals: 3 },
  bits: { least: 0, most: 9_999_999_999_999, decimals: 0 },
} as const satisfies Readonly<Record<string, RangeLimits>>;

/** How the ends of a range are read. */
export type RangeReading = keyof typeof RANGE_LIMITS;

/** A number by whose range calls are found, with the parameters `min…` and `max…`. */
export interface RangeRow {
  /** Of the table of calls. */
  readonly column: string;
  readonly reads: RangeReading;
  /** Begins the descriptions in openapi.yaml. */
  readonly brief: string;
}

/** In the order of the console's choice. */
export const CALL_RANGES = {
  mos: { column: 'worst_mos', reads: 'mos', brief: 'MOS of the worst stream' },
  loss: { column: 'worst_loss', reads: 'share', brief: 'Lost packets of the worst stream, as a part of 1' },
  jitter: { column: 'worst_jitter', reads: 'milliseconds', brief: 'Jitter of the worst stream' },
  roundTrip: { column: 'worst_round_trip', reads: 'milliseconds', brief: 'Round trip of the worst stream' },
  durationSeconds: { column: 'duration_seconds', reads: 'seconds', brief: 'Duration' },
  ringSeconds: {
    column: 'ring_seconds',
    reads: 'seconds',
    brief: 'From the first ringing to the answer or failure',
  },
  setupSeconds: { column: 'setup_seconds', reads: 'seconds', brief: 'From the invitation to the first media' },
  postDialSeconds: { column: 'post_dial_seconds', reads: 'seconds', brief: 'From the invitation to the first ringing' },
  linkSpeed: { column: 'link_speed', reads: 'bits', brief: 'Slowest link of a party' },
} as const satisfies Readonly<Record<string, RangeRow>> & Readonly<Record<WorstMetric, RangeRow>>;

export type RangeName = keyof typeof CALL_RANGES;

export const RANGE_NAMES = Object.keys(CALL_RANGES).filter((name): name is RangeName => name in CALL_RANGES);

/** `minLoss` and `maxLoss`. */
export function rangeParameters<N extends RangeName>(
  name: N,
): readonly [min: `min${Capitalize<N>}`, max: `max${Capitalize<N>}`] {
  const capital = name.replace(/^./, (letter) => letter.toUpperCase()) as Capitalize<N>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- that is what it makes
  return [`min${capital}`, `max${capital}`];
}
