/** What the E-model needs to know about a codec (ITU-T G.113, Appendix I). */
interface CodecImpairment {
  /** Ie: impairment by the codec itself. */
  readonly equipment: number;
  /** Bpl: how well the codec conceals lost packets; higher is better. */
  readonly robustness: number;
}

export interface TransmissionMeasures {
  /** Encoding name with the clock rate: `PCMU/8000`. */
  readonly codec: string;
  /** Share of packets that were lost or came too late, 0 to 1. */
  readonly lossRate: number;
  /** BurstR of G.107: 1 if losses are independent. */
  readonly burstRatio: number;
  /** From mouth to ear, milliseconds. */
  readonly oneWayDelayMs: number;
}

export interface ComputedQuality {
  /** R of G.107, 0 to 93.2. */
  readonly rating: number;
  /** Estimated conversational quality, MOS-CQE, 1 to 4.5. */
  readonly mos: number;
}

/** The rating of a connection without delay, loss and codec: all other inputs have the default values of G.107. */
const DEFAULT_RATING = 93.2;

/**
 * Narrowband codecs with published values. G.711 with the concealment of its Appendix I, which phones have; the other
 * codecs conceal by themselves. Wideband codecs have another scale (G.107.1), which is not comparable, so they have none here.
 */
const IMPAIRMENTS: ReadonlyMap<string, CodecImpairment> = new Map([
  ['pcmu/8000', { equipment: 0, robustness: 25.1 }],
  ['pcma/8000', { equipment: 0, robustness: 25.1 }],
  ['g729/8000', { equipment: 11, robustness: 19 }],
  ['g723/8000', { equipment: 15, robustness: 16.1 }],
  ['gsm-efr/8000', { equipment: 5, robustness: 10 }],
  // At 12.2 kbit/s, its highest rate, it is GSM-EFR.
  ['amr/8000', { equipment: 5, robustness: 10 }],
]);

/** Undefined for codecs without published values. */
export function computeQuality(measures: TransmissionMeasures): ComputedQuality | undefined {
  const codec = IMPAIRMENTS.get(measures.codec.toLowerCase());
  if (codec === undefined) return undefined;
  const rating = DEFAULT_RATING - delayImpairment(measures.oneWayDelayMs) - lossImpairment(codec, measures);
  const bounded = Math.min(DEFAULT_RATING, Math.max(0, rating));
  return { rating: bounded, mos: ratingMos(bounded) };
}

/** Id, with the approximation of G.107 by Cole and Rosenbluth (2001): from 177.3 ms on, people begin to talk at once. */
function delayImpairment(delayMs: number): number {
  return 0.024 * delayMs + 0.11 * Math.max(0, delayMs - 177.3);
}

/** Ie,eff (G.107, 7.5). */
function lossImpairment(
  { equipment, robustness }: CodecImpairment,
  { lossRate, burstRatio }: TransmissionMeasures,
): number {
  const percent = 100 * lossRate;
  return equipment + ((95 - equipment) * percent) / (percent / Math.max(1, burstRatio) + robustness);
}

/** G.107, Annex B. Below 6.5 the formula would fall under 1. */
function ratingMos(rating: number): number {
  const mos = 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6;
  return Math.max(1, mos);
}
