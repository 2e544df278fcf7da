import { rejectParameter } from '@ringdown/web-server';
import { fieldKey, type CallField } from '../calls/call-fields.js';
import { partyKey } from '../calls/call-keys.js';
import {
  CALL_STATES,
  COVERAGES,
  END_REASONS,
  ENDED_BY,
  MEDIA_PATHS,
  VERDICTS,
  type CallState,
  type Verdict,
} from '../calls/call.js';
import type { CallFilter } from '../store/call-filter.js';
import { Numbers, ShortTexts, SomeOf } from './query-fields.js';
import { CallRangesQuery } from './call-ranges-query.js';

const MAX_NAME = 255;
const MAX_ID = 512;

export type FilterField = CallField | 'state' | 'verdict';

type ValueOf<F extends FilterField> = F extends 'state' ? CallState : F extends 'verdict' ? Verdict : string;

/** `codec`: calls with one of these values. `not.codec`: calls with none of them. */
export type FieldFilters = { [F in FilterField]?: readonly ValueOf<F>[] } & {
  [F in FilterField as `not.${F}`]?: readonly ValueOf<F>[];
};

const isSipAddress = (text: string): boolean => /^\S+$/.test(text) && partyKey(text) !== '';

const FLAGS = ['true', 'false'];

/** How the values of each field are read. */
const READERS: Readonly<Record<FilterField, PropertyDecorator>> = {
  state: SomeOf(CALL_STATES),
  verdict: SomeOf(VERDICTS),
  coverage: SomeOf(COVERAGES),
  frontEnd: ShortTexts('names of front ends', MAX_NAME),
  pool: ShortTexts('names of pools', MAX_NAME),
  user: ShortTexts('SIP addresses like sip:anna@example.test', MAX_NAME, isSipAddress),
  conversationId: ShortTexts('ids of conversations', MAX_ID),
  conferenceId: ShortTexts('ids of conferences', MAX_ID),
  correlationId: ShortTexts('correlation ids', MAX_ID),
  errorCode: Numbers(),
  diagnosticsCode: Numbers(),
  medium: ShortTexts('media like audio', MAX_NAME),
  codec: ShortTexts('names of codecs', MAX_NAME),
  connection: ShortTexts('kinds of connections', MAX_NAME),
  userAgent: ShortTexts('names of user agents', MAX_NAME),
  endReason: SomeOf(END_REASONS),
  endedBy: SomeOf(ENDED_BY),
  endCode: Numbers(),
  path: SomeOf(MEDIA_PATHS),
  device: ShortTexts('microphones or loudspeakers', MAX_ID),
  os: ShortTexts('operating systems', MAX_ID),
  relay: ShortTexts('addresses of relays', MAX_ID),
  trunk: ShortTexts('names of trunks', MAX_ID),
  tenantId: ShortTexts('ids of tenants', MAX_ID),
  ssid: ShortTexts('names of wireless networks', MAX_ID),
  bssid: ShortTexts('ids of access points', MAX_ID),
  mac: ShortTexts('MAC addresses', MAX_ID),
  driver: ShortTexts('drivers of devices', MAX_ID),
  category: ShortTexts('categories of dialogs', MAX_ID),
  dscp: Numbers(),
  vpn: SomeOf(FLAGS),
  inside: SomeOf(FLAGS),
  mediaBypass: SomeOf(FLAGS),
};

const FIELDS = Object.keys(READERS).filter((name): name is FilterField => name in READERS);

class DecoratedQuery extends CallRangesQuery {}

for (const field of FIELDS) {
  READERS[field](DecoratedQuery.prototype, field);
  READERS[field](DecoratedQuery.prototype, `not.${field}`);
}

/** Parameters of all fields. Cast, because the loop above declares the properties, and not the class. */
export const FieldsQuery = DecoratedQuery as new () => DecoratedQuery & FieldFilters;

/** Throws a {@link Fault} when everything that a field may be is excluded. */
export function fieldConditions(query: FieldFilters): Pick<
  CallFilter,
  'states' | 'verdicts' | 'withoutStates' | 'withoutVerdicts' | 'withoutSearchKeys'
> & {
  readonly searchKeys: readonly (readonly string[])[];
} {
  const searchKeys: (readonly string[])[] = [];
  const without: string[] = [];
  for (const field of FIELDS) {
    const wanted = query[field]?.map((value) => keyOf(field, value));
    const excluded = query[`not.${field}`]?.map((value) => keyOf(field, value));
    if (wanted !== undefined && excluded !== undefined) rejectContradiction(field, wanted, excluded);
    if (field === 'state' || field === 'verdict') continue;
    if (wanted !== undefined) searchKeys.push(wanted);
    if (excluded !== undefined) without.push(...excluded);
  }
  return {
    states: query.state,
    verdicts: query.verdict,
    searchKeys,
    withoutStates: query['not.state'],
    withoutVerdicts: query['not.verdict'],
    withoutSearchKeys: without.length === 0 ? undefined : without,
  };
}

function keyOf(field: FilterField, value: string): string {
  return field === 'state' || field === 'verdict' ? value : fieldKey(field, value);
}

function rejectContradiction(field: FilterField, wanted: readonly string[], excluded: readonly string[]): void {
  if (wanted.every((key) => excluded.includes(key)))
    rejectParameter(`not.${field}`, `not.${field} excludes every value of ${field}: no call can match`, 'conflict');
}
