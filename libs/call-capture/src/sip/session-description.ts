import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { keptList } from '../collections/kept.js';
import { preferredCandidate, iceUsernameFragment, usesIce } from './ice.js';
import { canonicalAddress, isNowhere, parseMediaPort } from './media-address.js';
import { bundledMedia, mediumMark, readMediaHints, type MediaHints } from './media-hints.js';
import type { OfferedCodec, OfferedMedium } from './offered-medium.js';
import { sdpLines, type SdpMedium, type SdpSection } from './sdp-lines.js';

const SDP_LIMIT = 32_768;
const MEDIA_TYPES = ['audio', 'video', 'text'] as const;
const SPACE = 32;
/** Opus has packets of as little (RFC 7587, 6.1). */
const SHORTEST_MS = 2.5;

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
 * The media of a session description, in the order of its `m=` lines. Media that are not RTP keep their place
 * as undefined, because an answer refers to media by place. Undefined as a whole if it is not a session description.
 */
export function readSessionDescription(text: string): readonly (OfferedMedium | undefined)[] | undefined {
  if (text.length > SDP_LIMIT || !text.trimStart().startsWith('v=0')) return undefined;
  const { session, media } = sdpLines(text);
  const bundled = bundledMedia(session);
  const marks = media.map(mediumMark);
  return media.map((written, at) => {
    const tagged = bundled.get(marks[at] ?? '');
    const medium = readMedium(written, session, tagged !== undefined);
    const first = tagged === undefined ? undefined : media[marks.indexOf(tagged)];
    return medium && first ? withPlaceOf(medium, readPlace(first, session)) : medium;
  });
}

function readMedium(medium: SdpMedium, session: SdpSection, isBundled: boolean): OfferedMedium | undefined {
  const mediaType = MEDIA_TYPES.find((type) => type === medium.mediaType);
  if (mediaType === undefined) return undefined;
  const direction = medium.direction ?? session.direction ?? 'sendrecv';
  const hasIce = usesIce(medium) || usesIce(session);
  // Before RFC 3264 (8.4) hold was an address to which nothing can be sent; with ICE it only says that there are no candidates yet.
  const isHeld = !hasIce && isNowhere(mediumConnection(medium, session));
  return withoutAbsent({
    mediaType,
    ...readPlace(medium, session),
    isBundled: isBundled ? (true as const) : undefined,
    ice: hasIce ? withoutAbsent({ mark: mediumMark(medium), ufrag: iceUsernameFragment(medium, session) }) : undefined,
    protocol: /TCP/i.test(medium.protocol) ? ('TCP' as const) : ('UDP' as const),
    sends: direction.startsWith('send'),
    receives: !isHeld && direction.includes('recv'),
    isOff: Number(medium.port) === 0 && !(isBundled && medium.attributes.has('bundle-only')),
    codecs: keptList(readCodecs(medium)),
    bandwidthLimit: bandwidthLimit(medium) ?? bandwidthLimit(session),
    packetMs: packetMs(medium),
  });
}

function mediumConnection(medium: SdpMedium, session: SdpSection): string {
  return medium.connection ?? session.connection ?? '';
}

type Place = Pick<OfferedMedium, 'ip' | 'port' | 'rtcpPort' | keyof MediaHints>;

function readPlace(medium: SdpMedium, session: SdpSection): Place {
  const written = mediumConnection(medium, session);
  const hints = readMediaHints(medium);
  const named = { ip: isNowhere(written) ? undefined : canonicalAddress(written), port: parseMediaPort(medium.port) };
  const isKnown = named.ip !== undefined && named.port !== undefined;
  const { ip, port } = (isKnown ? undefined : preferredCandidate(hints.candidates)) ?? named;
  return withoutAbsent({ ip, port, rtcpPort: rtcpPortOf(medium), ...hints });
}

/** `first`: of the first medium in its bundle, which media share that name no port of their own. */
function withPlaceOf(medium: OfferedMedium, { ip, port, rtcpPort, candidates }: Place): OfferedMedium {
  if (medium.port !== undefined || medium.isOff) return medium;
  return withoutAbsent({ rtcpPort, candidates, ...medium, ip: ip ?? medium.ip, port });
}

/** Without a line about it, RTCP uses the next port (RFC 3550, 11). */
function rtcpPortOf({ port, attributes }: SdpMedium): number | undefined {
  if (attributes.has('rtcp-mux')) return parseMediaPort(port);
  const [own] = attributes.get('rtcp') ?? [];
  const rtp = parseMediaPort(port);
  return own === undefined
    ? parseMediaPort(rtp === undefined ? '' : `${rtp + 1}`)
    : parseMediaPort(own.split(' ', 1)[0]);
}

function readCodecs({ formats, attributes }: SdpMedium): OfferedCodec[] {
  const mapped = attributes.get('rtpmap') ?? [];
  return formats.flatMap((format) => {
    if (!/^\d{1,3}$/.test(format)) return [];
    const payloadType = Number(format);
    const map = mapped.find((each) => each.startsWith(format) && each.charCodeAt(format.length) === SPACE);
    const [codec, clockRate] = map === undefined ? (STATIC_CODECS[payloadType] ?? []) : encodingOf(map);
    if (codec === undefined || clockRate === undefined || !/^[\w.+-]{1,64}$/.test(codec)) return [];
    const isUsable = Number.isInteger(clockRate) && clockRate > 0 && clockRate <= 1_000_000;
    return isUsable ? { payloadType, name: `${codec}/${clockRate}`, clockRate } : [];
  });
}

/** `111 opus/48000/2`: the name and the clock rate. */
function encodingOf(map: string): readonly [codec: string | undefined, clockRate: number] {
  const [codec, rate = '8000'] = map.slice(map.indexOf(' ')).trim().split('/', 2);
  return [codec?.trim(), Number(rate)];
}

/** `a=ptime`: a whole number of milliseconds (RFC 8866, 6.4), which some write with a fraction. */
function packetMs({ attributes }: SdpSection): number | undefined {
  const [written = ''] = attributes.get('ptime') ?? [];
  const length = /^\d{1,3}(?:\.\d{1,3})?$/.test(written.trim()) ? Number(written) : 0;
  return length >= SHORTEST_MS ? length : undefined;
}

/** `AS` in kbit/s (RFC 8866, 5.8), `TIAS` in bit/s (RFC 3890). */
function bandwidthLimit({ bandwidths }: SdpSection): number | undefined {
  for (const line of bandwidths) {
    const unit = line.startsWith('AS:') ? 1_000 : line.startsWith('TIAS:') ? 1 : 0;
    const digits = unit === 0 ? '' : line.slice(line.indexOf(':') + 1).trim();
    const bits = /^\d{1,15}$/.test(digits) ? Number(digits) * unit : 0;
    if (Number.isSafeInteger(bits) && bits > 0) return bits;
  }
  return undefined;
}
