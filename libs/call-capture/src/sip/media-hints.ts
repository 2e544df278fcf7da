import { withoutAbsent } from '@ringdown/xml-schemas';
import { isIPv4, isIPv6 } from 'node:net';
import type { MediaDescription, SessionDescription } from 'sdp-transform';
import type { MediaAddress, OfferedMedium, OfferedStream } from './session-description.js';

const CANDIDATE_LIMIT = 32;
const STREAM_LIMIT = 16;
const MEDIA_LIMIT = 16;
/** Of SDES, which a CNAME is compared with (RFC 3550, 6.5). */
const NAME_LIMIT = 255;
const MAX_SSRC = 4_294_967_295;

/** Lines that say which packets belong to a medium, besides its address. */
export function readMediaHints(
  medium: MediaDescription,
): Pick<OfferedMedium, 'rtcp' | 'candidates' | 'remoteCandidates' | 'streams'> {
  const { rtcp, candidates = [], remoteCandidates, ssrcs = [] } = medium;
  const port = rtcp && portOf(rtcp.port);
  return withoutAbsent({
    rtcp: port === undefined ? undefined : withoutAbsent({ ip: canonicalAddress(rtcp?.address ?? ''), port }),
    candidates: unlessEmpty(candidates.slice(0, CANDIDATE_LIMIT).flatMap(({ ip, port: own }) => mediaAddress(ip, own))),
    remoteCandidates: unlessEmpty(readRemoteCandidates(remoteCandidates)),
    streams: unlessEmpty(readStreams(ssrcs)),
  });
}

/** The `a=mid` of media that share one port: `BUNDLE audio video`. */
export function bundledMedia({ groups = [] }: Pick<SessionDescription, 'groups'>): ReadonlySet<string> {
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- a single number comes as one, whatever its type says
  const lists = groups.filter(({ type }) => type === 'BUNDLE').map(({ mids }) => String(mids).split(' ', MEDIA_LIMIT));
  return new Set(lists.flat());
}

/** As captured addresses are written; undefined if it is a name of a host, or something else. */
export function canonicalAddress(written: string): string | undefined {
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- a single number comes as one, whatever its type says
  const ip = String(written);
  // The check for IPv6 costs more than reading the line.
  if (!ip.includes(':')) return isIPv4(ip) ? ip : undefined;
  return isIPv6(ip) && !ip.includes('%') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : undefined;
}

export function portOf(port: number): number | undefined {
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
}

/** Triples of component, address and port. */
function readRemoteCandidates(line: string | undefined): MediaAddress[] {
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion -- a single number comes as one, whatever its type says
  const words = String(line ?? '')
    .trim()
    .split(/\s+/, CANDIDATE_LIMIT * 3);
  return words.flatMap((ip, at) => (at % 3 === 1 ? mediaAddress(ip, Number(words[at + 1])) : []));
}

/** An SSRC has a line for each of its attributes, one of which is its CNAME. */
function readStreams(lines: NonNullable<MediaDescription['ssrcs']>): OfferedStream[] {
  const names = new Map<number, string | undefined>();
  for (const { id: ssrc, attribute, value } of lines) {
    if (!Number.isInteger(ssrc) || ssrc < 1 || ssrc > MAX_SSRC) continue;
    if (!names.has(ssrc) && names.size === STREAM_LIMIT) continue;
    const isName = attribute === 'cname' && value !== undefined && value !== '' && value.length <= NAME_LIMIT;
    names.set(ssrc, isName ? value : names.get(ssrc));
  }
  return [...names].map(([ssrc, cname]) => withoutAbsent({ ssrc, cname }));
}

function mediaAddress(written: string, writtenPort: number): MediaAddress[] {
  const [ip, port] = [canonicalAddress(written), portOf(writtenPort)];
  return ip === undefined || port === undefined ? [] : [{ ip, port }];
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
