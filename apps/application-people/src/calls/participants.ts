import type { CallOutline, PartyOutline } from '@ringdown/contracts/calls';
import { isUploadFeed } from '@ringdown/contracts/uploads';
import { canonicalName } from '@ringdown/directory';

/** A call that was only offered, or is over, does not make anyone busy. */
const TALKING_STATES: readonly string[] = ['active', 'held'];

/**
 * SIP addresses (`sip:user@domain`, lower case, each once) of those who talk in this call: everyone who sends or
 * receives a stream that has not ended, or all parties when no stream is known. Someone who only was called as well,
 * and did not answer, is not included. Nobody talks in a call of an uploaded capture, which may be years old or made up.
 */
export function participantsIn({ state, feeds = [], streams, parties }: CallOutline): readonly string[] {
  if (!TALKING_STATES.includes(state) || feeds.some(isUploadFeed)) return [];
  const ends = streams.filter((stream) => stream.state !== 'ended').flatMap(({ from, to }) => [from, to]);
  const participants = streams.length === 0 ? parties : ends.filter((end) => end !== null);
  return [...new Set(participants.flatMap((participant) => participantAddress(participant)))];
}

/** Call ids that differ only in case are the same call. */
export function callKeyOf({ callId }: CallOutline): string {
  return callId.toLowerCase();
}

/** The address of a conference is the address of its organiser with parameters; a conference is not a participant. */
function participantAddress({ uri }: PartyOutline): readonly string[] {
  const address = canonicalName(uri ?? '').trim();
  if (address.includes(';opaque=app:') || !/^(?:sips?:)?[^\s:@]+@[^\s@]+$/.test(address)) return [];
  return [`sip:${address.replace(/^sips?:/, '').replace(/(?::\d+)?(?:[;?].*)?$/s, '')}`];
}

/** Only aggregators send these messages; another version may send calls of another shape. */
export function isCallOutline(value: unknown): value is CallOutline {
  return (
    typeof value === 'object' &&
    value !== null &&
    'callId' in value &&
    typeof value.callId === 'string' &&
    'version' in value &&
    typeof value.version === 'number' &&
    'state' in value &&
    typeof value.state === 'string' &&
    'streams' in value &&
    Array.isArray(value.streams) &&
    'parties' in value &&
    Array.isArray(value.parties)
  );
}
