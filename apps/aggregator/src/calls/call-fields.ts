import { frontEndKey, linkKey, partyKey } from './call-keys.js';
import { pathKey } from './path-keys.js';
import { searchKey, type SearchKind } from './search-keys.js';

interface FieldRow {
  /** Of its search keys. */
  readonly kind: SearchKind;
  /** How a value is written in its key; without it, as it is. */
  readonly key?: (value: string) => string;
  /** Whether statistics are divided by it, with the values of each stream or the search keys of each call. */
  readonly counted?: 'streams' | 'keys';
  /** Whether its values are suggested. */
  readonly suggested?: true;
}

/** Fields that calls are found by. Filters, suggestions and statistics share this table. */
export const CALL_FIELDS = {
  frontEnd: { kind: 'frontEnd', key: frontEndKey, counted: 'streams', suggested: true },
  medium: { kind: 'medium', counted: 'streams', suggested: true },
  codec: { kind: 'codec', counted: 'streams', suggested: true },
  connection: { kind: 'connection', counted: 'streams', suggested: true },
  userAgent: { kind: 'userAgent', counted: 'streams', suggested: true },
  user: { kind: 'user', key: partyKey, suggested: true },
  conversationId: { kind: 'conversation', key: linkKey },
  conferenceId: { kind: 'conference', key: linkKey },
  correlationId: { kind: 'correlation', key: linkKey },
  coverage: { kind: 'coverage', counted: 'keys' },
  endReason: { kind: 'endReason', counted: 'keys' },
  endedBy: { kind: 'endedBy', counted: 'keys' },
  endCode: { kind: 'endCode', key: withoutZeros, counted: 'keys', suggested: true },
  errorCode: { kind: 'error', key: withoutZeros, counted: 'keys', suggested: true },
  diagnosticsCode: { kind: 'diagnostics', key: withoutZeros, counted: 'keys', suggested: true },
  path: { kind: 'path', counted: 'keys' },
  pool: { kind: 'pool', key: frontEndKey, counted: 'keys', suggested: true },
  device: { kind: 'device', key: pathKey, counted: 'keys', suggested: true },
  driver: { kind: 'driver', key: pathKey, counted: 'keys', suggested: true },
  os: { kind: 'os', key: pathKey, counted: 'keys', suggested: true },
  relay: { kind: 'relay', key: pathKey, counted: 'keys', suggested: true },
  trunk: { kind: 'trunk', key: pathKey, counted: 'keys', suggested: true },
  tenantId: { kind: 'tenantId', key: pathKey, counted: 'keys', suggested: true },
  ssid: { kind: 'ssid', key: pathKey, counted: 'keys', suggested: true },
  bssid: { kind: 'bssid', key: pathKey, counted: 'keys', suggested: true },
  mac: { kind: 'mac', key: pathKey, suggested: true },
  category: { kind: 'category', key: pathKey, counted: 'keys', suggested: true },
  dscp: { kind: 'dscp', key: withoutZeros, counted: 'keys', suggested: true },
  vpn: { kind: 'vpn', counted: 'keys' },
  inside: { kind: 'inside', counted: 'keys' },
  mediaBypass: { kind: 'mediaBypass', counted: 'keys' },
} as const satisfies Readonly<Record<string, FieldRow>>;

export type CallField = keyof typeof CALL_FIELDS;

type FieldsWith<Part> = { [F in CallField]: (typeof CALL_FIELDS)[F] extends Part ? F : never }[CallField];

/** Dimensions of statistics whose values are those of each stream. */
export type StreamField = FieldsWith<{ counted: 'streams' }>;
/** Dimensions of statistics whose values are search keys of the call. */
export type KeyedField = FieldsWith<{ counted: 'keys' }>;
export type SuggestedField = FieldsWith<{ suggested: true }>;

const ROWS: Readonly<Record<CallField, FieldRow>> = CALL_FIELDS;

export const CALL_FIELD_NAMES = Object.keys(CALL_FIELDS).filter((name): name is CallField => name in CALL_FIELDS);
export const STREAM_FIELDS = CALL_FIELD_NAMES.filter((name): name is StreamField => ROWS[name].counted === 'streams');
export const KEYED_FIELDS = CALL_FIELD_NAMES.filter((name): name is KeyedField => ROWS[name].counted === 'keys');
export const SUGGESTED_FIELDS = CALL_FIELD_NAMES.filter(
  (name): name is SuggestedField => ROWS[name].suggested === true,
);

/** The search key of the calls with this value. */
export function fieldKey(field: CallField, value: string): string {
  const { kind, key } = ROWS[field];
  return searchKey(kind, key?.(value) ?? value);
}

function withoutZeros(digits: string): string {
  return String(Number(digits));
}
