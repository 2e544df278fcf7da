import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { InputPipe } from '@ringdown/web-server/input';
import type { Dice } from '@ringdown/testing/fuzz/dice';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { pumpString } from '@ringdown/testing/fuzz/pumps';
import { CallListQuery, TimelineQuery } from '../../src/search/query/call-list-query.js';
import { Cursors } from '../../src/http/cursor.js';
import { SavedSearchInput, searchQuery } from '../../src/search/saved/saved-search-input.js';
import { CountQuery, MetricQuery } from '../../src/http/statistics/statistics-query.js';
import { SuspectsQuery } from '../../src/http/statistics/suspects-query.js';
import { callKey, frontEndKey, linkKey, partyKey } from '../../src/calls/call-keys.js';
import { subnet } from '../../src/calls/parties/ip-address.js';

const NAMES = (
  'state verdict frontEnd user address callId conversationId conferenceId correlationId errorCode diagnosticsCode site medium codec connection userAgent ' +
  'q driver category dscp vpn inside mediaBypass minLinkSpeed maxRingSeconds minLoss maxJitter maxMos invitedFrom runningTo not.codec not.user not.dscp ' +
  'from to limit cursor sort identities bucketSeconds by metric compare unknown __proto__'
).split(' ');
const QUERIES = [CallListQuery, TimelineQuery, CountQuery, MetricQuery, SuspectsQuery];
/** No request target is longer; parts of batches are. */
const TARGET_LIMIT = 16_384;
const CURSORS = new Cursors('seed of the fuzz run');
const PIPE = new InputPipe();

interface RawQuery {
  readonly type: number;
  readonly parameters: Readonly<Record<string, string | readonly string[]>>;
}

function randomQuery(dice: Dice): RawQuery {
  const given = Array.from({ length: 1 + dice.below(4) }, (): [string, string | string[]] => {
    const text = pumpString(dice, TARGET_LIMIT);
    return [dice.onceIn(30) ? text : dice.of(NAMES), dice.onceIn(10) ? [text, text] : text];
  });
  return { type: dice.below(QUERIES.length), parameters: Object.fromEntries(given) };
}

function cursors(dice: Dice): string {
  // One of our own cursors, or one without our key.
  return dice.onceIn(2)
    ? CURSORS.ofName(pumpString(dice, TARGET_LIMIT / 2), pumpString(dice, 64))
    : pumpString(dice, TARGET_LIMIT);
}

function readQuery({ type, parameters }: RawQuery): void {
  for (const text of Object.values(parameters).flat()) {
    for (const keyOf of [callKey, frontEndKey, linkKey, partyKey, subnet]) keyOf(text);
  }
  PIPE.transform(parameters, { type: 'query', metatype: QUERIES[type] ?? CallListQuery });
}

/** The body of a request that saves a search. */
function savedSearch(dice: Dice): Buffer {
  const { parameters } = randomQuery(dice);
  const content = { name: pumpString(dice, 300), shared: dice.onceIn(2), parameters };
  const json = JSON.stringify(content);
  return Buffer.from(dice.onceIn(4) ? json.slice(0, dice.below(json.length)) : json);
}

function readSavedSearch(body: Buffer): void {
  const input: unknown = PIPE.transform(body, { type: 'body', metatype: SavedSearchInput });
  if (!(input instanceof SavedSearchInput)) throw new Error('the pipe returned another class');
  searchQuery(input.parameters);
}

const LIST = { filter: {}, sort: 'newest' } as const;

export const queryReaders: readonly FuzzedReader[] = [
  fuzzedReader('query API: parameters', randomQuery, readQuery, [Fault]),
  fuzzedReader('query API: saved searches', savedSearch, readSavedSearch, [Fault]),
  fuzzedReader('query API: cursors of calls', cursors, (text) => CURSORS.position(text, LIST), [InterfaceError]),
  fuzzedReader('query API: cursors of names', cursors, (text) => CURSORS.name(text, 'front ends'), [InterfaceError]),
];
