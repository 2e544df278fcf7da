import {
  DETAIL_FIELDS,
  filterRow,
  PARTY_FIELDS,
  type DetailField,
  type PartyField,
} from '@ringdown/call-catalogue/fields';
import { CALL_FILTERS } from '@ringdown/call-catalogue/filters';
import type { Endpoint } from '@ringdown/xml-schemas/record';
import type { Call, Party } from '../../calls/call.js';

/** What calls are found by of the devices and the path of their media. */
export type PathKind = PartyField | DetailField;

/** More than any real call has; an invented call must not fill the index. */
const VALUE_LIMIT = 64;
/** Code points of IP have six bits. */
const MAX_DSCP = 63;

type End = Endpoint & Party;

/** The places of the values of one endpoint, by kind. */
const OF_ENDS = PARTY_FIELDS.map((kind) => [kind, filterRow(kind).party as readonly (keyof End)[]] as const); // oxlint-disable-line typescript/no-unsafe-type-assertion -- compared with the fields by path-keys.spec.ts

/** Each value of the call once, as written. */
export function callPathValues({ details, parties, streams }: Call): readonly (readonly [PathKind, string])[] {
  const ends: readonly End[] = [...parties, ...streams.flatMap(({ from, to }) => [from ?? [], to ?? []].flat())];
  const values = new Map<string, readonly [PathKind, string]>();
  const add = (kind: PathKind, text: string | undefined): void => {
    if (text !== undefined && values.size < VALUE_LIMIT) values.set(`${kind} ${text}`, [kind, text]);
  };
  for (const kind of DETAIL_FIELDS) add(kind, pathValueText(details[CALL_FILTERS[kind].detail]));
  for (const end of ends) {
    for (const [kind, places] of OF_ENDS) for (const place of places) add(kind, pathValueText(end[place]));
  }
  return [...values.values()];
}

/** Numbers are code points. */
function pathValueText(value: unknown): string | undefined {
  if (typeof value === 'number') return value >= 0 && value <= MAX_DSCP ? String(value) : undefined;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
}
