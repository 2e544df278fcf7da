import { keptText } from '../collections/kept.js';
import { mediaAddress } from './media-address.js';
import type { IceCandidate, MediaAddress } from './offered-medium.js';
import type { SdpSection } from './sdp-lines.js';

const CANDIDATE_LIMIT = 32;
/** RFC 8839, 5.4. */
const UFRAG_LIMIT = 256;
const ICE: readonly string[] = ['ice-ufrag', 'ice-pwd', 'ice-options', 'ice-lite', 'candidate', 'end-of-candidates'];
/** Of RTP; that of RTCP is 2 (RFC 8839, 5.1). */
const RTP_COMPONENT = 1;

/** Whether the party uses ICE, by the lines of a medium or of the session (RFC 8839, 5). */
export function usesIce({ attributes }: SdpSection): boolean {
  return ICE.some((name) => attributes.has(name));
}

/** `a=ice-ufrag`, of the medium or of the session: a restart of ICE changes it. */
export function iceUsernameFragment(...sections: readonly SdpSection[]): string | undefined {
  const [written] = sections.flatMap(({ attributes }) => attributes.get('ice-ufrag') ?? []);
  return written === undefined ? undefined : keptText(written.trim().slice(0, UFRAG_LIMIT));
}

/** The values of `a=candidate` lines. */
export function readCandidates(values: readonly string[]): readonly IceCandidate[] {
  return values.slice(0, CANDIDATE_LIMIT).flatMap(readCandidate);
}

/** Where the medium most likely goes: ICE prefers candidates of high priority (RFC 8445, 6.1.2.3). */
export function preferredCandidate(candidates: readonly IceCandidate[] = []): MediaAddress | undefined {
  const usable = candidates.filter(({ isRtp }) => isRtp);
  const best = Math.max(...usable.map(({ priority }) => priority));
  const { ip, port } = usable.find(({ priority }) => priority === best) ?? {};
  return ip === undefined || port === undefined ? undefined : { ip, port };
}

/** `1 2 UDP 2113667327 192.0.2.1 54400 typ host` (RFC 8839, 5.1). Names of hosts (`….local`) are left out. */
function readCandidate(value: string): IceCandidate[] {
  const [, component, , priority, ip = '', port] = value.split(' ', 6);
  return mediaAddress(ip, port).map((address) => {
    return { ...address, priority: Number(priority) || 0, isRtp: Number(component) === RTP_COMPONENT };
  });
}
