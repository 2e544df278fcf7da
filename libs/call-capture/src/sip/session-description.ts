import { withoutAbsent } from '@ringdown/xml-schemas';
import { parse, type MediaDescription, type SessionDescription, type SharedDescriptionFields } from 'sdp-transform';
import { bundledMedia, canonicalAddress, portOf, readMediaHints } from './media-hints.js';

/** One medium that a party offers or accepts (RFC 8866, RFC 3264). */
export interface OfferedMedium {
  readonly mediaType: 'audio' | 'video';
  /** Where the party wants to receive the medium; absent if the description has none, or an invalid one. */
  readonly ip?: string;
  readonly port?: number;
  /** Where it wants to receive RTCP. */
  readonly rtcpPort?: number;
  /** The `a=rtcp` line (RFC 3605), also if `rtcpPort` is that of RTP because RTCP may be multiplexed. */
  readonly rtcp?: { readonly ip?: string; readonly port: number };
  /** ICE (RFC 8839): addresses of the party, and those that it chose of the other party. */
  readonly candidates?: readonly MediaAddress[];
  readonly remoteCandidates?: readonly MediaAddress[];
  /** It shares its addresses with all other media that have this mark (BUNDLE, RFC 9143). */
  readonly isBundled?: true;
  /** Streams that the party will send (RFC 5576). */
  readonly streams?: readonly OfferedStream[];
  readonly protocol: 'UDP' | 'TCP';
  readonly sends: boolean;
  readonly receives: boolean;
  /** Rejected, or ended: the port is zero. */
  readonly isOff: boolean;
  readonly codecs: readonly OfferedCodec[];
  /** The bandwidth that the party allows for the medium, bit/s. */
  readonly bandwidthLimit?: number;
}

export interface MediaAddress {
  readonly ip: string;
  readonly port: number;
}

export interface OfferedStream {
  readonly ssrc: number;
  readonly cname?: string;
}

export interface OfferedCodec {
  readonly payloadType: number;
  /** Encoding name and clock rate, as in `rtpmap`: `opus/48000`. */
  readonly name: string;
  readonly clockRate: number;
}

const SDP_LIMIT = 32_768;
const MEDIA_TYPES = ['audio', 'video'] as const;
const MEDIA_LIMIT = 16;
const CODEC_LIMIT = 32;
/** Before RFC 3264 hold was signalled by an address to which nothing can be sent. */
const HELD: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Payload types that need no `rtpmap` (RFC 3551, 6). */
const STATIC_CODECS: Readonly<Record<number, readonly [name: string, clockRate: number]>> = {
  0: ['PCMU', 8_000],
  3: ['GSM', 8_000],
  4: ['G723', 8_000],
  8: ['PCMA', 8_000],
  9: ['G722', 8_000],
  13: ['CN', 8_000],
  15: ['G728', 8_000],
  18: ['G729', 8_000],
  26: ['JPEG', 90_000],
  31: ['H261', 90_000],
  34: ['H263', 90_000],
};

/**
 * The media of a session description, in the order of its `m=` lines. Media that the feed does not know keep their place
 * as undefined, because an answer refers to media by place. Undefined as a whole if it is not a session description.
 */
export function readSessionDescription(text: string): readonly (OfferedMedium | undefined)[] | undefined {
  if (text.length > SDP_LIMIT || !/^\s*v=0/.test(text)) return undefined;
  const { media, ...session } = parse(text);
  const bundled = bundledMedia(session);
  return media.slice(0, MEDIA_LIMIT).map((medium) => {
    const read = readMedium(medium, session);
    return read && bundled.has(String(medium.mid)) ? { ...read, isBundled: true } : read;
  });
}

type Session = Omit<SessionDescription, 'media'>;

function readMedium(medium: MediaDescription, session: Session): OfferedMedium | undefined {
  const mediaType = MEDIA_TYPES.find((type) => type === medium.type);
  if (mediaType === undefined) return undefined;
  const ip = medium.connection?.ip ?? session.connection?.ip ?? '';
  const direction = medium.direction ?? session.direction ?? 'sendrecv';
  const isHeld = HELD.has(ip);
  return withoutAbsent({
    mediaType,
    ip: isHeld ? undefined : canonicalAddress(ip),
    port: portOf(medium.port),
    rtcpPort: portOf(rtcpPortOf(medium)),
    ...readMediaHints(medium),
    protocol: /TCP/i.test(medium.protocol) ? ('TCP' as const) : ('UDP' as const),
    sends: direction.startsWith('send'),
    receives: !isHeld && direction.includes('recv'),
    isOff: medium.port === 0,
    codecs: readCodecs(medium),
    bandwidthLimit: bandwidthLimit(medium) ?? bandwidthLimit(session),
  });
}

function rtcpPortOf({ port, rtcp, rtcpMux }: MediaDescription): number {
  return rtcpMux === undefined ? (rtcp?.port ?? port + 1) : port;
}

function readCodecs({ payloads = '', rtp }: MediaDescription): OfferedCodec[] {
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- a single one comes as a number, whatever its type says
  const types = String(payloads)
    .split(/\s+/, CODEC_LIMIT)
    .filter((type) => /^\d{1,3}$/.test(type));
  return types.map(Number).flatMap((payloadType) => {
    const mapped = rtp.find(({ payload }) => payload === payloadType);
    const [codec, clockRate] = mapped ? [mapped.codec, mapped.rate ?? 8_000] : (STATIC_CODECS[payloadType] ?? []);
    if (codec === undefined || clockRate === undefined || !/^[\w.+-]{1,64}$/.test(codec)) return [];
    const isUsable = Number.isInteger(clockRate) && clockRate > 0 && clockRate <= 1_000_000;
    return isUsable ? { payloadType, name: `${codec}/${clockRate}`, clockRate } : [];
  });
}

/** `AS` in kbit/s (RFC 8866, 5.8), `TIAS` in bit/s (RFC 3890). */
function bandwidthLimit({ bandwidth = [] }: SharedDescriptionFields): number | undefined {
  for (const { type, limit } of bandwidth) {
    const bits = type === 'AS' ? limit * 1_000 : type === 'TIAS' ? limit : 0;
    if (Number.isSafeInteger(bits) && bits > 0) return bits;
  }
  return undefined;
}
