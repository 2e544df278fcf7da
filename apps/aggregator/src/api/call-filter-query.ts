import { InterfaceError } from '@ringdown/http-server';
import { callKey, frontEndKey, linkKey, partyKey } from '../calls/call-keys.js';
import { CALL_STATES, VERDICTS, type CallState, type Verdict } from '../calls/call.js';
import { subnet, widthOf } from '../calls/ip-address.js';
import { searchKey, subnetSearchKey, type SearchKind } from '../calls/search-keys.js';
import { queryErrors } from '../errors.js';
import type { CallFilter } from '../store/call-filter.js';
import { Moment, momentOf, Numbers, ShortText, SomeOf } from './query-fields.js';

const MAX_NAME = 255;
const MAX_ID = 512;

/** Parameters that choose calls: each on its own, and any of them together. */
export class CallFilterQuery {
  @SomeOf('state', CALL_STATES)
  state?: CallState[];

  @SomeOf('verdict', VERDICTS)
  verdict?: Verdict[];

  @ShortText('the name of one front end', MAX_NAME)
  frontEnd?: string;

  @ShortText(
    'one SIP address like sip:anna@example.test',
    MAX_NAME,
    (text) => /^\S+$/.test(text) && partyKey(text) !== '',
  )
  user?: string;

  @ShortText('an IP address, or a subnet like 10.1.0.0/16', MAX_NAME, (text) => subnet(text) !== undefined)
  address?: string;

  @ShortText('one CallId', MAX_ID)
  callId?: string;

  @ShortText('one id of a conversation', MAX_ID)
  conversationId?: string;

  @ShortText('one id of a conference', MAX_ID)
  conferenceId?: string;

  @ShortText('one correlation id', MAX_ID)
  correlationId?: string;

  @Numbers()
  errorCode?: string[];

  @Numbers()
  diagnosticsCode?: string[];

  @Moment()
  from?: string;

  @Moment()
  to?: string;
}

/** Throws an {@link InterfaceError} when the times are the wrong way round. */
export function filterOf(query: CallFilterQuery): CallFilter {
  const { state, verdict, callId, address } = query;
  const [from, to] = [momentOf(query.from), momentOf(query.to)];
  if (from && to && from >= to) {
    const reason = 'from must be before to';
    throw new InterfaceError(queryErrors.badParameter, { message: reason, parameters: [{ name: 'from', reason }] });
  }
  return {
    states: state,
    verdicts: verdict,
    from,
    to,
    callKey: callId === undefined ? undefined : callKey(callId),
    searchKeys: searchKeysOf(query),
    subnet: address === undefined ? undefined : networkOf(address),
  };
}

function searchKeysOf(query: CallFilterQuery): readonly (readonly string[])[] {
  const net = query.address === undefined ? undefined : subnet(query.address);
  const inNet = net && subnetSearchKey(net);
  const wanted: readonly (readonly [SearchKind, readonly string[] | undefined])[] = [
    ['frontEnd', one(query.frontEnd, frontEndKey)],
    ['user', one(query.user, partyKey)],
    ['conversation', one(query.conversationId, linkKey)],
    ['conference', one(query.conferenceId, linkKey)],
    ['correlation', one(query.correlationId, linkKey)],
    ['error', query.errorCode?.map(withoutZeros)],
    ['diagnostics', query.diagnosticsCode?.map(withoutZeros)],
  ];
  const lists = wanted.flatMap(([kind, keys]) => (keys === undefined ? [] : [keys.map((key) => searchKey(kind, key))]));
  return inNet === undefined ? lists : [...lists, [inNet]];
}

function one(text: string | undefined, keyOf: (text: string) => string): readonly string[] | undefined {
  return text === undefined ? undefined : [keyOf(text)];
}

function withoutZeros(digits: string): string {
  return String(Number(digits));
}

/** Only for what the search key does not tell already. */
function networkOf(text: string): string | undefined {
  const net = subnet(text);
  if (net === undefined || net.length === widthOf(net.address)) return undefined;
  return `${net.address.text}/${net.length}`;
}
