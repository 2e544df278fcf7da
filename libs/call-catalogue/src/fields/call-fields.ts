import { CALL_FILTERS } from './call-filters.js';
import type { FilterRow } from './filter-row.js';

export type CallField = keyof typeof CALL_FILTERS;
/** Kinds of the search keys of filters. */
export type FilterKind = (typeof CALL_FILTERS)[CallField]['kind'];

type FieldsWith<Part> = { [F in CallField]: (typeof CALL_FILTERS)[F] extends Part ? F : never }[CallField];

/** Dimensions of statistics whose values are those of each stream. */
export type StreamField = FieldsWith<{ counted: 'streams' }>;
/** Dimensions of statistics whose values are search keys of the call. */
export type KeyedField = FieldsWith<{ counted: 'keys' }>;
/** Dimensions of suspects, from search keys. */
export type SuspectField = FieldsWith<{ suspect: number }>;
/** Fields by whose values a call is compared with others. */
export type SurroundingField = FieldsWith<{ surrounds: true }>;
export type SuggestedField = FieldsWith<{ suggested: true }>;
/** Fields of parties, and of the details of a call. */
export type PartyField = FieldsWith<{ party: readonly string[] }>;
export type DetailField = FieldsWith<{ detail: string }>;

const ROWS: Readonly<Record<CallField, FilterRow & { readonly kind: FilterKind }>> = CALL_FILTERS;

export function filterRow(field: CallField): FilterRow & { readonly kind: FilterKind } {
  return ROWS[field];
}

export const CALL_FIELD_NAMES = Object.keys(CALL_FILTERS).filter((name): name is CallField => name in CALL_FILTERS);
export const STREAM_FIELDS = CALL_FIELD_NAMES.filter((name): name is StreamField => ROWS[name].counted === 'streams');
export const KEYED_FIELDS = CALL_FIELD_NAMES.filter((name): name is KeyedField => ROWS[name].counted === 'keys');
export const SURROUNDING_FIELDS = CALL_FIELD_NAMES.filter(
  (name): name is SurroundingField => ROWS[name].surrounds === true,
);
export const SUGGESTED_FIELDS = CALL_FIELD_NAMES.filter(
  (name): name is SuggestedField => ROWS[name].suggested === true,
);
/** In the order in which they give names. */
export const SUSPECT_FIELDS = CALL_FIELD_NAMES.filter(
  (name): name is SuspectField => ROWS[name].suspect !== undefined,
).toSorted((a, b) => (ROWS[a].suspect ?? 0) - (ROWS[b].suspect ?? 0));
export const PARTY_FIELDS = CALL_FIELD_NAMES.filter((name): name is PartyField => ROWS[name].party !== undefined);
export const DETAIL_FIELDS = CALL_FIELD_NAMES.filter((name): name is DetailField => ROWS[name].detail !== undefined);

const BEFORE: ReadonlyMap<string, string> = new Map(
  CALL_FIELD_NAMES.flatMap((name) => (ROWS[name].before ?? []).map((old) => [old, name] as const)),
);

/** The name of the row of a parameter that may have one of an earlier release. */
export function presentName(parameter: string, before = BEFORE): string {
  return before.get(parameter) ?? parameter;
}
