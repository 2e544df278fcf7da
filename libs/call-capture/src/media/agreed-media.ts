import type { Endpoint, RecordEvent, StreamEvent } from '@ringdown/xml-schemas/record';
import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { FeedMediaType, OfferedMedium } from '../sip/offered-medium.js';
import { keptList } from '../collections/kept.js';
import { estimatedCodecs, streamBandwidth } from './codec-estimates.js';

export type Side = 'caller' | 'callee';

/** The media of a session description, by their place in it. */
export type Description = readonly (OfferedMedium | undefined)[];

/** A medium that both sides use. */
export interface AgreedMedium {
  /** Index of its `m=` line, which a medium keeps for the whole call (RFC 3264, 8). */
  readonly place: number;
  readonly mediaType: FeedMediaType;
  readonly caller: OfferedMedium;
  readonly callee: OfferedMedium;
  /** As listed in the answer. */
  readonly codecs: OfferedMedium['codecs'];
}

export interface Parties {
  readonly caller: Endpoint;
  readonly callee: Endpoint;
}

export function otherSide(side: Side): Side {
  return side === 'caller' ? 'callee' : 'caller';
}

/** The audio and video that an offer and its answer agree on. Media of the answer that were not offered are ignored. */
export function agreedMedia(offer: Description, answer: Description, offerer: Side): AgreedMedium[] {
  const agreed = answer.flatMap((answered, place) => {
    const offered = offer[place];
    if (!answered || answered.isOff || !offered || offered.mediaType !== answered.mediaType) return [];
    const { mediaType, codecs } = answered;
    if (mediaType === 'text') return [];
    const sides = { [offerer]: offered, [otherSide(offerer)]: answered };
    const { caller = offered, callee = answered } = sides;
    return { place, mediaType, caller, callee, codecs };
  });
  return keptList(agreed);
}

/** The events for a change of media. None if they stay the same, as in a session refresh. */
export function mediaChangeEvents(
  before: readonly AgreedMedium[],
  after: readonly AgreedMedium[],
  parties: Parties,
): RecordEvent[] {
  const at = (media: readonly AgreedMedium[], place: number): AgreedMedium | undefined =>
    media.find((medium) => medium.place === place);
  const ended = before.filter(({ place }) => !at(after, place)).flatMap((medium) => endedMediumEvents(medium, parties));
  const changed = after.flatMap((medium) => {
    const known = at(before, medium.place);
    if (!known) return streamsOf(medium, parties, 'start');
    const isSame = JSON.stringify(visible(known)) === JSON.stringify(visible(medium));
    return isSame ? [] : streamsOf(medium, parties, 'update');
  });
  return [...changed, ...ended];
}

/** Leaves out what records do not contain: a new list of candidates (ICE) does not change the call. */
function visible({ caller, callee, ...medium }: AgreedMedium): object {
  return { ...medium, caller: visibleEnd(caller), callee: visibleEnd(callee) };
}

function visibleEnd(end: OfferedMedium): object {
  const { rtcp: _rtcp, candidates: _own, remoteCandidates: _remote, streams: _streams, ...rest } = end;
  const { isBundled: _bundled, ice: _ice, packetMs: _packet, ...shown } = rest;
  return shown;
}

/** One for each direction. */
export function endedMediumEvents({ mediaType, caller, callee }: AgreedMedium, parties: Parties): RecordEvent[] {
  const [from, to] = [mediaEnd(parties.caller, caller), mediaEnd(parties.callee, callee)];
  return [
    { kind: 'ended', mediaType, from, to },
    { kind: 'ended', mediaType, from: to, to: from },
  ];
}

/** The address at which a party receives a medium. */
export function mediaEnd(party: Endpoint, { ip, port }: OfferedMedium): Endpoint {
  return withoutAbsent({ ...party, ip, port });
}

function streamsOf(medium: AgreedMedium, parties: Parties, kind: 'start' | 'update'): StreamEvent[] {
  return [stream(medium, parties, 'caller', kind), stream(medium, parties, 'callee', kind)];
}

function stream(medium: AgreedMedium, parties: Parties, from: Side, kind: 'start' | 'update'): StreamEvent {
  const to = otherSide(from);
  const codecs = estimatedCodecs(medium.codecs, medium[to].bandwidthLimit);
  const flows = medium[from].sends && medium[to].receives;
  return withoutAbsent({
    kind,
    mediaType: medium.mediaType,
    from: mediaEnd(parties[from], medium[from]),
    to: mediaEnd(parties[to], medium[to]),
    protocol: medium[to].protocol,
    bandwidth: streamBandwidth(codecs, flows),
    codecs,
  });
}
