/** `ratio`: 0 to 1. `mos`: 1 to 5, or points of that scale. `count`: without a unit. */
export const METRIC_UNITS = ['ratio', 'percent', 'ms', 'bit/s', '1/s', 'mos', 'dB', 'count'] as const;

export type MetricUnit = (typeof METRIC_UNITS)[number];

/** The values that a metric can have; the bounds themselves can be. */
export interface MetricBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * The value beyond which a metric is no longer good (`optimal`) or no longer acceptable. The values themselves still
 * are.
 */
export interface Threshold {
  readonly optimal: number;
  readonly acceptable: number;
}

/** Media types of the feed, and `videosharing` for shared screens that are sent as video. */
export type JudgedMedium = 'audio' | 'video' | 'applicationsharing' | 'videosharing';

/** Who gave a mean opinion score: the sender for `listening`, `conversational` and `network`, we for `computed`. */
export type MosKind = (typeof MOS_KINDS)[number];

/** In the order in which they count. */
export const MOS_KINDS = ['listening', 'conversational', 'network', 'computed'] as const;

/** The rule for a text where users are hidden (docs/records.md): only known words of products, or of codecs, are shown. */
export type TextHiding = 'product' | 'codec';

/** What is known of one metric. The name of the row is that of its element in records. */
export interface MetricRow {
  /** Null for texts, and for numbers whose unit is not known. */
  readonly unit: MetricUnit | null;
  /** A value outside was not measured. Null: any number. */
  readonly possible: MetricBounds | null;
  /** Also when it looks like a number: a device may be called `007`, or have the telephone number of its owner. */
  readonly isText?: true;
  readonly better: 'lower' | 'higher' | 'neither';
  /** Nothing but this keeps the name of a person, written into a metric, from operators who must not see it. */
  readonly hiding: TextHiding;
  /** For the table of docs/records.md: a part of a sentence, without the unit. */
  readonly brief: string;
  /** Of the default profile, by medium (diagnostics-feed.md, section 5). */
  readonly thresholds?: Readonly<Partial<Record<JudgedMedium, Threshold>>>;
  /** Media whose senders leave it out when it is zero (diagnostics-feed.md, 2.4). */
  readonly zeroWhenAbsent?: readonly JudgedMedium[];
  /** The metric whose thresholds it has. */
  readonly judgedAs?: string;
  readonly score?: MosKind;
  /** Whether records of 1.0 have the acceptable value beside it (docs/records.md). */
  readonly hasLimit?: true;
}

export type MetricTable = Readonly<Record<string, MetricRow>>;

type Measure = Pick<MetricRow, 'unit' | 'possible' | 'isText'>;

const AMOUNT: MetricBounds = { least: 0, most: 1e12 };

export const SHARE: Measure = { unit: 'ratio', possible: { least: 0, most: 1 } };
export const PERCENT: Measure = { unit: 'percent', possible: { least: 0, most: 100 } };
/** More is a clock that was set, or a field that is not jitter: the encrypted bytes of SRTCP. */
export const JITTER: Measure = { unit: 'ms', possible: { least: 0, most: 10_000 } };
/** Half a minute: 65,535, all ones in a field of 16 bits, means that nothing was measured (heplify-server#120). */
export const DELAY: Measure = { unit: 'ms', possible: { least: 0, most: 30_000 } };
/** At most a year. */
export const DURATION: Measure = { unit: 'ms', possible: { least: 0, most: 31_536_000_000 } };
export const MOS: Measure = { unit: 'mos', possible: { least: 1, most: 5 } };
/** Points of MOS that were lost: from 5 to 1. */
export const MOS_LOSS: Measure = { unit: 'mos', possible: { least: 0, most: 4 } };
/** 127 means unavailable (RFC 3611, 4.7). */
export const LEVEL: Measure = { unit: 'dB', possible: { least: -127, most: 126 } };
export const COUNT: Measure = { unit: 'count', possible: AMOUNT };
/** More packets than a stream of 10,000 a second has in a day are none. */
export const PACKETS: Measure = { unit: 'count', possible: { least: 0, most: 1e9 } };
export const FRAME_RATE: Measure = { unit: '1/s', possible: { least: 0, most: 1_000 } };
export const PACKET_RATE: Measure = { unit: '1/s', possible: AMOUNT };
export const BIT_RATE: Measure = { unit: 'bit/s', possible: { least: 0, most: 1e10 } };
export const BANDWIDTH: Measure = { unit: 'bit/s', possible: AMOUNT };
/** Milliseconds that are only known not to be negative. */
export const MILLISECONDS: Measure = { unit: 'ms', possible: AMOUNT };
/** An error may be in either direction. */
export const SIGNED_MILLISECONDS: Measure = { unit: 'ms', possible: null };
export const UNKNOWN_UNIT: Measure = { unit: null, possible: null };
export const TEXT: Measure = { unit: null, possible: null, isText: true };
