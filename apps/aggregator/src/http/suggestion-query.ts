import { presentName, SUGGESTED_FIELDS, type SuggestedField } from '@ringdown/call-catalogue/fields';
import { ReadAs } from '@ringdown/web-server/input';
import { IsDefined } from 'class-validator';
import { IsText, Limit } from '../search/filter/query-fields.js';

const MAX_PART = 255;
const DEFAULT_SUGGESTIONS = 10;
/** More than the search box of the console asks for at once. */
const MAX_FIELDS = 10;

/** Sites are those of SITES_FILE, all others the search keys of calls. */
export type FieldToSuggest = SuggestedField | 'site';

const FIELDS: readonly FieldToSuggest[] = [...SUGGESTED_FIELDS, 'site'];
const REQUIRED = `field must be one to ${MAX_FIELDS} of ${FIELDS.join(',')}`;

/** Parameters of `GET /api/suggest`. */
export class SuggestionQuery {
  @IsDefined({ message: REQUIRED })
  @ReadAs(REQUIRED.replace('field must be ', ''), readFields, 'choice')
  field!: readonly FieldToSuggest[];

  /** Empty: the most frequent values. */
  @IsText(`one text of at most ${MAX_PART} characters`, (text) => text.length <= MAX_PART)
  q = '';

  /** Of each field. */
  @Limit()
  limit = DEFAULT_SUGGESTIONS;
}

/** One text, or a repeated parameter; under a name of an earlier release as well. */
function readFields(given: unknown): readonly FieldToSuggest[] | undefined {
  const texts: readonly unknown[] = Array.isArray(given) ? given : [given];
  const fields = texts.flatMap((text) => {
    const name = typeof text === 'string' ? presentName(text) : undefined;
    return FIELDS.find((field) => field === name) ?? [];
  });
  return fields.length === texts.length && fields.length <= MAX_FIELDS ? [...new Set(fields)] : undefined;
}
