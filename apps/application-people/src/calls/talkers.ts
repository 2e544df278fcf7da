import type { CallOutline, PartyOutline } from '@ringdown/contracts';
import { canonicalName } from '@ringdown/directory';

/** A call that was only offered, or is over, keeps nobody busy. */
const TALKING: readonly string[] = ['active', 'held'];

/**
 * SIP addresses (`sip:user@domain`, lower case, each once) of those who talk in this call: who sends or gets a stream
 * that has not ended, or, where no stream is known, everybody. Not who was merely called somewhere else as well.
 */
export function talkersIn({ state, streams, parties }: CallOutline): readonly string[] {
  if (!TALKING.includes(state)) return [];
  const ends = streams.filter((stream) => stream.state !== 'ended').flatMap(({ from, to }) => [from, to]);
  const talkers = streams.length === 0 ? parties : ends.filter((end) => end !== null);
  return [...new Set(talkers.flatMap((talker) => addressOf(talker)))];
}

/** Calls are the same whatever the case of their ids. */
export function callKeyOf({ callId }: CallOutline): string {
  return callId.toLowerCase();
}

/** The address of a conference is made of its organiser's, with parameters behind it: that one is no talker. */
function addressOf({ uri }: PartyOutline): readonly string[] {
  const address = canonicalName(uri ?? '').trim();
  if (address.includes(';opaque=app:') || !/^(?:sips?:)?[^\s:@]+@[^\s@]+$/.test(address)) return [];
  return [`sip:${address.replace(/^sips?:/, '').replace(/(?::\d+)?(?:[;?].*)?$/s, '')}`];
}

/** Only aggregators say this; another version of one may know calls of another shape. */
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
