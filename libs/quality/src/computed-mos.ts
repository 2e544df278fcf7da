import { computeQuality } from './e-model.js';

/** A receiver with a buffer of this length has no use for a packet that is later; most phones buffer 40 to 120 ms. */
export const ASSUMED_BUFFER_MS = 100;
/** The way through the network, if no report tells the round trip. */
const ASSUMED_NETWORK_MS = 50;
/** Coding and decoding, and one packet of 20 ms. */
const ENDPOINT_MS = 25;

export interface StreamMeasures {
  /** Encoding name with the clock rate: `PCMU/8000`. */
  readonly codec: string;
  /** Share of packets that were lost or came too late, 0 to 1. */
  readonly lossRate: number;
  /** BurstR of G.107; default: losses are independent. */
  readonly burstRatio?: number;
  readonly roundTripMs?: number | undefined;
}

/** The conversational quality by the E-model, 1 to 4.5. Undefined for codecs without published values. */
export function computedMos({ codec, lossRate, burstRatio = 1, roundTripMs }: StreamMeasures): number | undefined {
  const network = roundTripMs === undefined ? ASSUMED_NETWORK_MS : roundTripMs / 2;
  const oneWayDelayMs = network + ASSUMED_BUFFER_MS + ENDPOINT_MS;
  return computeQuality({ codec, lossRate, burstRatio, oneWayDelayMs })?.mos;
}
