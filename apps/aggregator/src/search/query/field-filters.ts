import { CALL_FIELD_NAMES, filterRow, type CallField } from '@ringdown/call-catalogue/fields';
import type { FilterRow } from '@ringdown/call-catalogue/filters';
import { type Verdict, VERDICTS } from '@ringdown/quality';
import { rejectParameter } from '@ringdown/web-server/errors';
import { NamedBefore } from '@ringdown/web-server/input';
import { fieldKey } from '../keys/search-keys.js';
import { partyKey } from '../../calls/call-keys.js';
import { CALL_STATES, type CallState } from '../../calls/call.js';
import type { CallFilter } from '../filter/call-filter.js';
import { CallRangesQuery } from './call-ranges-query.js';
import { Numbers, ShortTexts, SomeOf } from '../filter/query-fields.js';

export type FilterField = CallField | 'state' | 'verdict';

type ValueOf<F extends FilterField> = F extends 'state' ? CallState : F extends 'verdict' ? Verdict : string;

/** `codec`: calls with one of these values. `not.codec`: calls with none of them. */
export type FieldFilters = { [F in FilterField]?: readonly ValueOf<F>[] } & {
  [F in FilterField as `not.${F}`]?: readonly ValueOf<F>[];
};

const isSipAddress = (text: string): boolean => /^\S+$/.test(text) && partyKey(text) !== '';

/** How the values of each field are read. */
const READERS: ReadonlyMap<FilterField, PropertyDecorator> = new Map<FilterField, PropertyDecorator>([
  ['state', SomeOf(CALL_STATES)],
  ['verdict', SomeOf(VERDICTS)],
  ...CALL_FIELD_NAMES.map((field) => [field, readerOf(filterRow(field))] as const),
]);

function readerOf({ values, compared }: FilterRow): PropertyDecorator {
  if (values === 'numbers') return Numbers();
  if ('what' in values)
    return ShortTexts(values.what, values.longest, compared === 'address' ? isSipAddress : undefined);
  return SomeOf(values);
}

class DecoratedQuery extends CallRangesQuery {}

for (const [field, read] of READERS) {
  read(DecoratedQuery.prototype, field);
  read(DecoratedQuery.prototype, `not.${field}`);
}
for (const field of CALL_FIELD_NAMES) {
  for (const old of filterRow(field).before ?? []) {
    NamedBefore(old)(DecoratedQuery.prototype, field);
    NamedBefore(`not.${old}`)(DecoratedQuery.prototype, `not.${field}`);
  }
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
  for (const field of READERS.keys()) {
    const wanted = query[field]?.map((value) => filterValueKey(field, value));
    const excluded = query[`not.${field}`]?.map((value) => filterValueKey(field, value));
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

function filterValueKey(field: FilterField, value: string): string {
  return field === 'state' || field === 'verdict' ? value : fieldKey(field, value);
}

function rejectContradiction(field: FilterField, wanted: readonly string[], excluded: readonly string[]): void {
  if (wanted.every((key) => excluded.includes(key)))
    rejectParameter(`not.${field}`, `not.${field} excludes every value of ${field}: no call can match`, 'conflict');
}
