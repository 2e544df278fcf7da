import { Fault, InputPipe, InterfaceError } from '@ringdown/web-server';
import { fuzzedReader, pumpString, type Dice, type FuzzedReader } from '@ringdown/testing';
import { CallListQuery, TimelineQuery } from '../../src/api/call-list-query.js';
import { Cursors } from '../../src/api/cursor.js';
import { CountQuery, MetricQuery } from '../../src/api/statistics-query.js';
import { callKey, frontEndKey, linkKey, partyKey } from '../../src/calls/call-keys.js';
import { subnet } from '../../src/calls/ip-address.js';

const NAMES = (
  'state verdict frontEnd user address callId conversationId conferenceId correlationId errorCode diagnosticsCode site medium codec connection userAgent ' +
  'from to limit cursor sort identities bucketSeconds by metric unknown __proto__'
).split(' ');
const QUERIES = [CallListQuery, TimelineQuery, CountQuery, MetricQuery];
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

const LIST = { filter: {}, sort: 'newest' } as const;

export const queryReaders: readonly FuzzedReader[] = [
  fuzzedReader('query API: parameters', randomQuery, readQuery, [Fault]),
  fuzzedReader('query API: cursors of calls', cursors, (text) => CURSORS.position(text, LIST), [InterfaceError]),
  fuzzedReader('query API: cursors of names', cursors, (text) => CURSORS.name(text, 'front ends'), [InterfaceError]),
];
