import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { readCandidates, iceUsernameFragment } from './ice.js';
import { mediumMark } from './media-hints.js';
import type { IceCandidate } from './offered-medium.js';
import { sdpLines } from './sdp-lines.js';

/** The media type of the body of an INFO with candidates (RFC 8840, 9). */
export const TRICKLE_TYPE = 'application/trickle-ice-sdpfrag';
const LIMIT = 32_768;

/** Candidates of one medium that were found after its description was sent. */
export interface TrickledCandidates {
  /** Its `a=mid`; of media that share a port, that of the first one. */
  readonly mark: string;
  readonly ufrag?: string;
  readonly candidates: readonly IceCandidate[];
}

/** The candidates in a part of a session description, by medium. None if it has none, or is too long. */
export function readTrickleFragment(text: string): readonly TrickledCandidates[] {
  if (text.length > LIMIT) return [];
  const { session, media } = sdpLines(text);
  // Before RFC 8840 fragments had no m= lines.
  const sections = media.length === 0 ? [session] : media;
  return sections.flatMap((section) => {
    const candidates = readCandidates(section.attributes.get('candidate') ?? []);
    const ufrag = iceUsernameFragment(section, session);
    return candidates.length === 0 ? [] : withoutAbsent({ mark: mediumMark(section), ufrag, candidates });
  });
}
