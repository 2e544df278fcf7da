import { withoutAbsent } from '@ringdown/xml-schemas';
import { isIPv4, isIPv6 } from 'node:net';
import type { SdpSection } from './sdp-lines.js';
import type { MediaAddress, OfferedMedium, OfferedStream } from './offered-medium.js';

const CANDIDATE_LIMIT = 32;
const STREAM_LIMIT = 16;
const MEDIA_LIMIT = 16;
/** Of SDES, which a CNAME is compared with (RFC 3550, 6.5). */
const NAME_LIMIT = 255;
const MAX_SSRC = 4_294_967_295;

type MediaHints = Pick<OfferedMedium, 'rtcp' | 'candidates' | 'remoteCandidates' | 'streams'>;

/** Lines that say which packets belong to a medium, besides its address. */
export function readMediaHints({ attributes }: SdpSection): MediaHints {
  if (attributes.size === 0) return {};
  const [rtcp] = attributes.get('rtcp') ?? [];
  const candidates = attributes.get('candidate') ?? [];
  return withoutAbsent({
    rtcp: rtcp === undefined ? undefined : readRtcp(rtcp),
    candidates: unlessEmpty(candidates.slice(0, CANDIDATE_LIMIT).flatMap(readCandidate)),
    remoteCandidates: unlessEmpty(readRemoteCandidates(attributes.get('remote-candidates')?.[0])),
    streams: unlessEmpty(readStreams(attributes.get('ssrc') ?? [])),
  });
}

/** The `a=mid` of media that share one port: `BUNDLE audio video`. */
export function bundledMedia({ attributes }: SdpSection): ReadonlySet<string> {
  const marks = (attributes.get('group') ?? []).flatMap((group) => {
    const [semantics, ...media] = group.trim().split(' ', MEDIA_LIMIT + 1);
    return semantics === 'BUNDLE' ? media : [];
  });
  return new Set(marks);
}

/** As captured addresses are written; undefined if it is a name of a host, or something else. */
export function canonicalAddress(ip: string): string | undefined {
  // The check for IPv6 costs more than reading the line.
  if (!ip.includes(':')) return isIPv4(ip) ? ip : undefined;
  return isIPv6(ip) && !ip.includes('%') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : undefined;
}

/** Undefined if it is not a port to which something can be sent. */
export function portOf(written: string | undefined): number | undefined {
  if (written === undefined || !/^\d{1,5}$/.test(written)) return undefined;
  const port = Number(written);
  return port > 0 && port <= 65_535 ? port : undefined;
}

/** `53020 IN IP4 192.0.2.1`, or the port alone (RFC 3605). */
function readRtcp(value: string): OfferedMedium['rtcp'] {
  const [written, , , address = ''] = value.split(' ', 4);
  const port = portOf(written);
  return port === undefined ? undefined : withoutAbsent({ ip: canonicalAddress(address), port });
}

/** `1 2 UDP 2113667327 192.0.2.1 54400 typ host` (RFC 8839, 5.1). */
function readCandidate(value: string): MediaAddress[] {
  const [, , , , ip = '', port] = value.split(' ', 6);
  return mediaAddress(ip, port);
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

function mediaAddress(written: string, writtenPort: string | undefined): MediaAddress[] {
  const [ip, port] = [canonicalAddress(written), portOf(writtenPort)];
  return ip === undefined || port === undefined ? [] : [{ ip, port }];
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
