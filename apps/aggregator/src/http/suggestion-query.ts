import { IsIn } from 'class-validator';
import { presentName, SUGGESTED_FIELDS, type SuggestedField } from '@ringdown/call-catalogue/fields';
import { Renamed } from '@ringdown/web-server/input';
import { IsText, Limit } from '../search/filter/query-fields.js';

const MAX_PART = 255;
const DEFAULT_SUGGESTIONS = 10;

/** Parameters of `GET /api/suggest`. */
export class SuggestionQuery {
  @Renamed(presentName)
  @IsIn(SUGGESTED_FIELDS, { message: `field must be one of ${SUGGESTED_FIELDS.join(',')}` })
  field!: SuggestedField;

  /** Empty: the most frequent values. */
  @IsText(`one text of at most ${MAX_PART} characters`, (text) => text.length <= MAX_PART)
  q = '';

  @Limit()
  limit = DEFAULT_SUGGESTIONS;
}
