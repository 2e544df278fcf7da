import { canonicalName } from '@ringdown/directory';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { InputPipe, queryParameters, QuerySource } from '@ringdown/web-server/input';
import { negotiate } from '@ringdown/hypermedia';
import type { Dice } from '@ringdown/testing/fuzz/dice';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { pumpLength, pumpString } from '@ringdown/testing/fuzz/pumps';
import { defaultProfile } from '@ringdown/vendor-profile';
import { ApplicationInput } from '../../src/applications/application-input.js';
import { readBatch } from '../../src/batch/batch-body.js';
import { BatchTargets } from '../../src/batch/batch-target.js';
import { ContactsQuery, MembershipInput, NewGroup } from '../../src/contacts/contact-list-input.js';
import { PollQuery } from '../../src/events/poll-parameters.js';
import { contentTypeCharset, textIn } from '../../src/http/charset.js';
import { matchesEtag } from '../../src/http/etag.js';
import { RequestParameters } from '../../src/http/parameters.js';
import { parseTimeSpan } from '../../src/http/time-span.js';
import { dataUri, parseDataUri } from '../../src/messaging/data-uri.js';
import { CommunicationInput, InvitationInput, SendQuery } from '../../src/messaging/messaging-input.js';
import { OnlineMeetingInput } from '../../src/online-meetings/online-meeting-input.js';
import { AvailabilityInput, LocationInput, NoteInput, PresenceInput } from '../../src/presence/presence-input.js';
import { UpdatableIndex } from '../../src/search/updatable-index.js';
import { SearchQuery } from '../../src/search/search-request.js';
import { nameWords, searchWords } from '../../src/search/search-words.js';
import { atOnce } from '../../src/search/sliced.js';
import { MembersInput, SubscriptionInput } from '../../src/subscriptions/subscription-input.js';

/** The limit of bodies, and of the values of a header. */
const BODY_LIMIT = 256 * 1_024;
const HEAD_LIMIT = 16_384;
/** The limit of every text of a directory. */
const NAME_LIMIT = 256;
const { web } = defaultProfile;
const NAMES =
  'message type availability location operationId to subject threadId importance displayName contactUri contactUris groupId culture endpointId userAgent _links supportedModalities inactiveTimeout expirationTime duration uris'.split(
    ' ',
  );
const targets = new BatchTargets(web);
const PIPE = new InputPipe();
const INPUTS = [
  ApplicationInput,
  AvailabilityInput,
  CommunicationInput,
  InvitationInput,
  LocationInput,
  MembershipInput,
  MembersInput,
  NewGroup,
  NoteInput,
  OnlineMeetingInput,
  PresenceInput,
  SubscriptionInput,
];

function json(dice: Dice): string {
  const given = Array.from({ length: 1 + dice.below(4) }, (): [string, unknown] => {
    const text = pumpString(dice, BODY_LIMIT / 4);
    const value = dice.onceIn(6)
      ? Array.from({ length: pumpLength(dice, 4_000) }, () => 'sip:a@b')
      : dice.onceIn(6)
        ? { href: text }
        : text;
    return [dice.onceIn(20) ? text : dice.of(NAMES), value];
  });
  const body = JSON.stringify(Object.fromEntries(given));
  return dice.onceIn(6) ? pumpString(dice, BODY_LIMIT) : body;
}

function xml(dice: Dice): string {
  const parts = Array.from({ length: 1 + dice.below(3) }, () => {
    const text = pumpString(dice, BODY_LIMIT / 4);
    const written = dice.onceIn(20)
      ? text
      : text.toWellFormed().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    return dice.of([
      `<property name="${dice.of(NAMES)}">${written}</property>`,
      `<propertyList name="contactUris">${`<item>${dice.of(NAMES)}</item>`.repeat(pumpLength(dice, 900))}<item>${written}</item></propertyList>`,
      `<link rel="message" href="data:text/plain,${written}"/>`,
      `<link rel="${written}" href="a"/>`.repeat(1 + dice.below(20)),
      dice.of(['<a>', '<a/>', '<!---->', '<property name="message">x</property>']).repeat(pumpLength(dice, 3_000)),
    ]);
  });
  return `<input>${parts.join('')}</input>`.slice(0, BODY_LIMIT);
}

/** Reads like the controllers, as input of every class. */
function readBody(contentType: string, text: string): void {
  const parameters = new RequestParameters({ url: '/', contentType, body: Buffer.from(text) }, web);
  for (const metatype of INPUTS) unlessRefused(() => PIPE.transform(parameters, { type: 'custom', metatype }));
}

function unlessRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof InterfaceError || error instanceof Fault)) throw error;
  }
}

function query(dice: Dice): string {
  const names = ['query', 'mail', 'limit', 'QUERY', 'operationId', 'ack', 'timeout', 'expand', 'instanceId'];
  const pairs = Array.from({ length: 1 + dice.below(4) }, () => {
    const text = pumpString(dice, HEAD_LIMIT);
    const value = dice.onceIn(2) ? encodeURIComponent(text.toWellFormed()) : text;
    return dice.onceIn(10) ? value : `${dice.of(names)}=${value}`;
  });
  const many = dice.onceIn(60)
    ? dice.of(['&a', '&query=a', '&', '&a=%41']).repeat(pumpLength(dice, BODY_LIMIT / 8))
    : '';
  return `/people/search?${pairs.join('&')}${many}`;
}

function readQuery(url: string): void {
  for (const metatype of [PollQuery, ContactsQuery, SendQuery]) {
    unlessRefused(() => PIPE.transform(new QuerySource(url), { type: 'custom', metatype }));
  }
  PIPE.transform(new QuerySource(url), { type: 'custom', metatype: SearchQuery });
}

interface Batch {
  readonly contentType: string;
  readonly body: Buffer;
}

function batch(dice: Dice): Batch {
  const boundary = dice.onceIn(10) ? pumpString(dice, 90) : dice.of(['b', '-', '--', '\\n']);
  const parts = Array.from({ length: 1 + dice.below(dice.onceIn(20) ? 2_000 : 4) }, () => {
    const target = dice.onceIn(3) ? `/uc/v1/applications/a/x?${pumpString(dice, 20_000)}` : '/uc/v1/applications/a/me';
    const headers = dice.onceIn(3) ? `${pumpString(dice, 8_000)}: ${pumpString(dice, 8_000)}\r\n` : '';
    const body = dice.onceIn(3) ? pumpString(dice, 65_536) : '';
    return `${dice.of(['', '\r\n', '\r\nContent-Type: application/http\r\n\r\n', '\n\n'])}GET ${target} HTTP/1.1\r\n${headers}\r\n${body}`;
  });
  const text = `--${boundary}${parts.join(`\r\n--${boundary}`)}${dice.onceIn(2) ? `\r\n--${boundary}--` : ''}`;
  const whole = dice.onceIn(10) ? pumpString(dice, BODY_LIMIT) : text;
  return {
    contentType: `multipart/batching; boundary="${boundary}"`,
    body: Buffer.from(whole).subarray(0, BODY_LIMIT),
  };
}

function readBatched({ contentType, body }: Batch): void {
  for (const { target } of readBatch(contentType, body)) {
    unlessRefused(() => targets.of(target, 'a'));
    queryParameters(target);
  }
}

function headers(dice: Dice): string {
  return (
    dice.of(['', 'text/plain;charset=', '"', 'W/"', 'text/*;q=0.', 'application/json, ']) + pumpString(dice, HEAD_LIMIT)
  );
}

function readHeaders(text: string): void {
  textIn(contentTypeCharset(text), Buffer.from('text'));
  matchesEtag(text, '1');
  negotiate(text, ['application/json', 'application/xml']);
  parseTimeSpan(text);
}

function searched(name: string, query: string): void {
  const person = {
    username: 'a@b',
    sipAddress: 'sip:a@b',
    phones: {},
    roles: [],
    contacts: [],
    name,
    title: name,
    department: name,
  };
  atOnce(UpdatableIndex.of([person])).search({ query }, 10);
}

/** All readers of interface A for text from clients. */
export const readers: readonly FuzzedReader[] = [
  fuzzedReader('interface A: bodies in JSON', json, (text) => readBody('application/json', text), [
    InterfaceError,
    Fault,
  ]),
  fuzzedReader('interface A: bodies in XML', xml, (text) => readBody('application/xml', text), [InterfaceError, Fault]),
  fuzzedReader('interface A: queries', query, readQuery, [Fault]),
  fuzzedReader('interface A: batches', batch, readBatched, [InterfaceError]),
  fuzzedReader('interface A: conditions and types in headers', headers, readHeaders),
  fuzzedReader(
    'interface A: text messages',
    (dice) => pumpString(dice, BODY_LIMIT),
    (text) => parseDataUri(dataUri({ format: 'Html', text })),
  ),
  fuzzedReader(
    'interface A: names of people',
    (dice) => pumpString(dice, NAME_LIMIT),
    (name) => searched(name, name),
  ),
  fuzzedReader(
    'interface A: words of a search',
    (dice) => pumpString(dice, HEAD_LIMIT),
    (text) => [searchWords(text), canonicalName(text)],
  ),
  fuzzedReader('interface A: other spellings of a name', (dice) => pumpString(dice, NAME_LIMIT), nameWords),
];
