import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { keptText } from '../collections/kept.js';
import { readCandidates } from './ice.js';
import { canonicalAddress, isNowhere, mediaAddress, parseMediaPort } from './media-address.js';
import type { MediaAddress, OfferedMedium, OfferedStream } from './offered-medium.js';
import type { SdpSection } from './sdp-lines.js';

const CANDIDATE_LIMIT = 32;
const STREAM_LIMIT = 16;
const MEDIA_LIMIT = 16;
const MARK_LIMIT = 64;
/** Of SDES, which a CNAME is compared with (RFC 3550, 6.5). */
const NAME_LIMIT = 255;
const MAX_SSRC = 4_294_967_295;

export type MediaHints = Pick<OfferedMedium, 'rtcp' | 'candidates' | 'remoteCandidates' | 'streams'>;

/** Lines that say which packets belong to a medium, besides its address. */
export function readMediaHints({ attributes }: SdpSection): MediaHints {
  if (attributes.size === 0) return {};
  const [rtcp] = attributes.get('rtcp') ?? [];
  const candidates = attributes.get('candidate') ?? [];
  return withoutAbsent({
    rtcp: rtcp === undefined ? undefined : readRtcp(rtcp),
    candidates: unlessEmpty(readCandidates(candidates)),
    remoteCandidates: unlessEmpty(readRemoteCandidates(attributes.get('remote-candidates')?.[0])),
    streams: unlessEmpty(readStreams(attributes.get('ssrc') ?? [])),
  });
}

/**
 * The media that share one port (RFC 9143), `BUNDLE audio video`: each `a=mid` with that of the first one, whose port it
 * is.
 */
export function bundledMedia({ attributes }: SdpSection): ReadonlyMap<string, string> {
  const marks = (attributes.get('group') ?? []).flatMap((group) => {
    const [semantics, ...media] = group.trim().split(' ', MEDIA_LIMIT + 1);
    const [tagged = ''] = media;
    return semantics === 'BUNDLE' ? media.map((mark) => [mark, tagged] as const) : [];
  });
  return new Map(marks);
}

/** `a=mid`; empty if there is none. */
export function mediumMark({ attributes }: SdpSection): string {
  return keptText((attributes.get('mid')?.[0] ?? '').trim().slice(0, MARK_LIMIT));
}

/** `53020 IN IP4 192.0.2.1`, or the port alone (RFC 3605). */
function readRtcp(value: string): OfferedMedium['rtcp'] {
  const [written, , , address = ''] = value.split(' ', 4);
  const port = parseMediaPort(written);
  if (port === undefined) return undefined;
  return withoutAbsent({ ip: isNowhere(address) ? undefined : canonicalAddress(address), port });
}

/** Triples of component, address and port. */
function readRemoteCandidates(value: string | undefined): MediaAddress[] {
  const words = (value ?? '').trim().split(/\s+/, CANDIDATE_LIMIT * 3);
  return words.flatMap((ip, at) => (at % 3 === 1 ? mediaAddress(ip, words[at + 1]) : []));
}

/** `314159 cname:abc`: an SSRC has a line for each of its attributes, one of which is its CNAME. */
function readStreams(values: readonly string[]): OfferedStream[] {
  const names = new Map<number, string | undefined>();
  for (const value of values) {
    const space = value.indexOf(' ');
    const ssrc = Number(space === -1 ? value : value.slice(0, space));
    if (!Number.isInteger(ssrc) || ssrc < 1 || ssrc > MAX_SSRC) continue;
    if (!names.has(ssrc) && names.size === STREAM_LIMIT) continue;
    const name = value.startsWith('cname:', space + 1) ? value.slice(space + 7) : '';
    names.set(ssrc, name !== '' && name.length <= NAME_LIMIT ? name : names.get(ssrc));
  }
  return [...names].map(([ssrc, cname]) => withoutAbsent({ ssrc, cname }));
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
