import { IsIn } from 'class-validator';
import type { CallField } from '../calls/call-fields.js';
import { IsText, Limit } from './query-fields.js';

/** Fields of calls for which values are suggested. */
const SUGGESTED_FIELDS = [
  'user',
  'frontEnd',
  'pool',
  'medium',
  'codec',
  'connection',
  'userAgent',
  'device',
  'os',
  'relay',
  'trunk',
  'tenantId',
  'ssid',
  'bssid',
  'mac',
  'endCode',
  'errorCode',
  'diagnosticsCode',
] as const satisfies readonly CallField[];

export type SuggestedField = (typeof SUGGESTED_FIELDS)[number];

const MAX_PART = 255;
const DEFAULT_SUGGESTIONS = 10;

/** Parameters of `GET /api/suggest`. */
export class SuggestionQuery {
  @IsIn([...SUGGESTED_FIELDS], { message: `field must be one of ${SUGGESTED_FIELDS.join(',')}` })
  field!: SuggestedField;

  /** Empty: the most frequent values. */
  @IsText(`one text of at most ${MAX_PART} characters`, (text) => text.length <= MAX_PART)
  q = '';

  @Limit()
  limit = DEFAULT_SUGGESTIONS;
}
