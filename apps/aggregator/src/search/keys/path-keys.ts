import {
  DETAIL_FIELDS,
  filterRow,
  PARTY_FIELDS,
  type DetailField,
  type PartyField,
} from '@ringdown/call-catalogue/fields';
import { CALL_FILTERS, type FilterRow } from '@ringdown/call-catalogue/filters';
import type { Endpoint } from '@ringdown/xml-schemas/record';
import type { Call, Party } from '../../calls/call.js';

/** What calls are found by of the devices and the path of their media. */
export type PathKind = PartyField | DetailField;

/** More than any real call has; an invented call must not fill the index. */
const VALUE_LIMIT = 64;

type End = Endpoint & Party;

/** The places of the values of one endpoint, by kind. */
const ENDS: readonly (readonly [PartyField, readonly (keyof End)[]])[] = PARTY_FIELDS.map((kind) => [
  kind,
  CALL_FILTERS[kind].party,
]);

/** Each value of the call once, as written. */
export function callPathValues({ details, parties, streams }: Call): readonly (readonly [PathKind, string])[] {
  const ends: readonly End[] = [...parties, ...streams.flatMap(({ from, to }) => [from ?? [], to ?? []].flat())];
  const values = new Map<string, readonly [PathKind, string]>();
  const add = (kind: PathKind, value: unknown): void => {
    const text = pathValueText(value, filterRow(kind));
    if (text !== undefined && values.size < VALUE_LIMIT) values.set(`${kind} ${text}`, [kind, text]);
  };
  for (const kind of DETAIL_FIELDS) add(kind, details[CALL_FILTERS[kind].detail]);
  for (const end of ends) {
    for (const [kind, places] of ENDS) for (const place of places) add(kind, end[place]);
  }
  return [...values.values()];
}

/** Undefined if it is not a value of the filter. */
export function pathValueText(value: unknown, { possible }: Pick<FilterRow, 'possible'>): string | undefined {
  if (typeof value === 'number') {
    const isValue = possible === undefined || (value >= possible.least && value <= possible.most);
    return isValue ? String(value) : undefined;
  }
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
}
