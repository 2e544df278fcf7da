import { filterRow, type CallField, type FilterRow } from '@ringdown/call-catalogue';
import { frontEndKey, linkKey, partyKey } from './call-keys.js';
import { searchKey } from './search-keys.js';

/** How a value is written in its key. */
const COMPARED: Readonly<Record<NonNullable<FilterRow['compared']>, (value: string) => string>> = {
  caseless: frontEndKey,
  address: partyKey,
  id: linkKey,
  number: (digits) => String(Number(digits)),
};

/** The search key of the calls with this value. */
export function fieldKey(field: CallField, value: string): string {
  const { kind, compared } = filterRow(field);
  return searchKey(kind, compared === undefined ? value : COMPARED[compared](value));
}
