import { frontEndKey, linkKey, partyKey } from './call-keys.js';
import { PATH_KINDS, pathKey } from './path-keys.js';
import { searchKey, type SearchKind } from './search-keys.js';

/** Fields that calls are found by, with the kind of their search keys. Filters, suggestions and statistics share it. */
export const CALL_FIELDS = {
  frontEnd: 'frontEnd',
  pool: 'pool',
  user: 'user',
  conversationId: 'conversation',
  conferenceId: 'conference',
  correlationId: 'correlation',
  errorCode: 'error',
  diagnosticsCode: 'diagnostics',
  coverage: 'coverage',
  medium: 'medium',
  codec: 'codec',
  connection: 'connection',
  userAgent: 'userAgent',
  endReason: 'endReason',
  endedBy: 'endedBy',
  endCode: 'endCode',
  path: 'path',
  device: 'device',
  os: 'os',
  relay: 'relay',
  trunk: 'trunk',
  tenantId: 'tenantId',
  ssid: 'ssid',
  bssid: 'bssid',
  mac: 'mac',
} as const satisfies Record<string, SearchKind>;

export type CallField = keyof typeof CALL_FIELDS;

/** How a value is written in its key; all others are written as they are. */
const KEYS: Partial<Readonly<Record<CallField, (value: string) => string>>> = {
  frontEnd: frontEndKey,
  pool: frontEndKey,
  user: partyKey,
  conversationId: linkKey,
  conferenceId: linkKey,
  correlationId: linkKey,
  errorCode: withoutZeros,
  diagnosticsCode: withoutZeros,
  endCode: withoutZeros,
  ...Object.fromEntries(PATH_KINDS.map((kind) => [kind, pathKey])),
};

/** The search key of the calls with this value. */
export function fieldKey(field: CallField, value: string): string {
  return searchKey(CALL_FIELDS[field], KEYS[field]?.(value) ?? value);
}

function withoutZeros(digits: string): string {
  return String(Number(digits));
}
