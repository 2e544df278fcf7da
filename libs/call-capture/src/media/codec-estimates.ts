import type { Bandwidth, Codec } from '@ringdown/xml-schemas/record';
import type { OfferedCodec } from '../sip/offered-medium.js';

type Estimate = readonly [typical: number, highest: number];

/**
 * Bandwidth of a codec on the wire in one direction, bit/s, with the headers of RTP, UDP and IP and with RTCP: typical, and
 * the highest with error correction. Codecs known to readers of the feed have the values that these expect
 * (diagnostics-feed.md, 5); the others assume 50 packets a second with 40 bytes of headers, and 5 % for RTCP.
 */
const ESTIMATES: Readonly<Record<string, Estimate>> = {
  'pcmu/8000': [83_200, 161_000],
  'pcma/8000': [83_200, 161_000],
  'g722/8000': [85_400, 164_600],
  'g7221/16000': [44_800, 81_000],
  'siren/16000': [39_300, 68_600],
  'silk/16000': [47_700, 105_000],
  'silk/8000': [31_200, 59_000],
  'g726-32/8000': [38_600, 62_000],
  'g729/8000': [25_200, 33_600],
  'gsm/8000': [30_700, 44_600],
  'ilbc/8000': [32_800, 48_800],
  'amr/8000': [29_700, 42_500],
  'amr-wb/16000': [41_800, 66_900],
  'opus/48000': [50_400, 84_000],
  'h264/90000': [500_000, 4_010_000],
  'h265/90000': [500_000, 4_010_000],
  'h263-1998/90000': [400_000, 2_500_000],
  'vp8/90000': [500_000, 2_510_000],
  'vp9/90000': [500_000, 4_010_000],
  'av1/90000': [400_000, 4_010_000],
};

/** Adds the estimates; tones, comfort noise and error correction have none. */
export function estimatedCodecs(codecs: readonly OfferedCodec[], limit: number | undefined): Codec[] {
  return codecs.map(({ name, payloadType }) => {
    const estimate = ESTIMATES[name.toLowerCase()];
    if (!estimate) return { name, payloadType };
    const [low, high] = estimate.map((bits) => Math.min(bits, limit ?? bits));
    return { name, payloadType, ...(low === undefined || high === undefined ? {} : { low, high }) };
  });
}

/** Of a direction: the mean of the typical values, and the highest. Zero if nothing flows, as the feed reports hold. */
export function streamBandwidth(codecs: readonly Codec[], flows: boolean): Bandwidth | undefined {
  if (!flows) return { average: 0, maximum: 0 };
  const lows = codecs.flatMap(({ low }) => low ?? []);
  if (lows.length === 0) return undefined;
  const average = Math.round(lows.reduce((sum, low) => sum + low, 0) / lows.length);
  return { average, maximum: Math.max(...codecs.map(({ high }) => high ?? 0)) };
}
