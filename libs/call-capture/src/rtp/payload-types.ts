/** What a payload type means: the encoding name with the clock rate, as `rtpmap` and the feed write it. */
export interface PayloadFormat {
  readonly name: string;
  readonly clockRate: number;
}

function format(encoding: string, clockRate: number): PayloadFormat {
  return { name: `${encoding}/${clockRate}`, clockRate };
}

/** The static payload types (RFC 3551, 6). G722 counts in 8,000 a second by a mistake that stayed. */
const STATIC_FORMATS: ReadonlyMap<number, PayloadFormat> = new Map([
  [0, format('PCMU', 8_000)],
  [3, format('GSM', 8_000)],
  [4, format('G723', 8_000)],
  [5, format('DVI4', 8_000)],
  [6, format('DVI4', 16_000)],
  [7, format('LPC', 8_000)],
  [8, format('PCMA', 8_000)],
  [9, format('G722', 8_000)],
  [10, format('L16', 44_100)],
  [11, format('L16', 44_100)],
  [12, format('QCELP', 8_000)],
  [13, format('CN', 8_000)],
  [14, format('MPA', 90_000)],
  [15, format('G728', 8_000)],
  [16, format('DVI4', 11_025)],
  [17, format('DVI4', 22_050)],
  [18, format('G729', 8_000)],
  [19, format('CN', 8_000)],
  [25, format('CelB', 90_000)],
  [26, format('JPEG', 90_000)],
  [28, format('nv', 90_000)],
  [31, format('H261', 90_000)],
  [32, format('MPV', 90_000)],
  [33, format('MP2T', 90_000)],
  [34, format('H263', 90_000)],
]);

/** Payload types from here on mean what the session description says. */
export const FIRST_DYNAMIC = 96;

/** `described`: the formats of the session description, which may name static payload types, too. */
export function payloadFormat(
  payloadType: number,
  described: ReadonlyMap<number, PayloadFormat> | undefined,
): PayloadFormat | undefined {
  return described?.get(payloadType) ?? STATIC_FORMATS.get(payloadType);
}

export function isComfortNoise({ name }: PayloadFormat): boolean {
  return /^CN\//i.test(name);
}

/** Keys that are pressed: their time stamp stays the same for the whole event (RFC 4733, 2.2.1). */
export function isTelephoneEvent({ name }: PayloadFormat): boolean {
  return /^telephone-event\//i.test(name);
}

/** Formats whose payload shows silence without decoding: a sample is one byte. */
export function isSampleCodec({ name }: PayloadFormat): boolean {
  return /^PCM[AU]\//i.test(name);
}
