import { IsIn } from 'class-validator';
import type { SearchKind } from '../calls/search-keys.js';
import { IsText, Limit } from './query-fields.js';

/** Filters of calls for which values are suggested, and their search keys. */
export const SUGGESTED_FIELDS = {
  user: 'user',
  frontEnd: 'frontEnd',
  pool: 'pool',
  medium: 'medium',
  codec: 'codec',
  connection: 'connection',
  userAgent: 'userAgent',
  device: 'device',
  os: 'os',
  relay: 'relay',
  trunk: 'trunk',
  tenantId: 'tenantId',
  ssid: 'ssid',
  bssid: 'bssid',
  mac: 'mac',
  endCode: 'endCode',
  errorCode: 'error',
  diagnosticsCode: 'diagnostics',
} as const satisfies Record<string, SearchKind>;

export type SuggestedField = keyof typeof SUGGESTED_FIELDS;

const FIELDS = Object.keys(SUGGESTED_FIELDS);
const MAX_PART = 255;
const DEFAULT_SUGGESTIONS = 10;

/** Parameters of `GET /api/suggest`. */
export class SuggestionQuery {
  @IsIn(FIELDS, { message: `field must be one of ${FIELDS.join(',')}` })
  field!: SuggestedField;

  /** Empty: the most frequent values. */
  @IsText(`one text of at most ${MAX_PART} characters`, (text) => text.length <= MAX_PART)
  q = '';

  @Limit()
  limit = DEFAULT_SUGGESTIONS;
}
