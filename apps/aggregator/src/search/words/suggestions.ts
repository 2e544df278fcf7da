import { filterRow, type SuggestedField } from '@ringdown/call-catalogue/fields';
import { foldText } from './search-text.js';
import { wordPattern } from './search-words.js';
import type { Database } from '../../store/database/database.js';

/** Enough for the values that an operator works with, and few enough to be read for each letter that is typed. */
const NEWEST_CALLS = 2_000;
/** Of each field: of hidden values, both forms are keys, and more are read than are returned. */
const READ = 2_000;

export interface SuggestedValue {
  readonly field: SuggestedField;
  readonly text: string;
  readonly calls: number;
}

interface Row {
  readonly kind: string;
  readonly text: string;
  readonly calls: number;
}

/** Values of fields among the newest calls. */
export class Suggestions {
  constructor(private readonly database: Database) {}

  /** Of each field the most frequent first. `part`: of the value, in the form of `foldText`. */
  async of(fields: readonly SuggestedField[], part: string): Promise<readonly SuggestedValue[]> {
    if (fields.length === 0) return [];
    const kinds = fields.map((field) => filterRow(field).kind);
    const { rows } = await this.database.readLagging((transaction) =>
      transaction.query<Row>(
        `select kind, text, calls from (
           select kind, text, count(*)::integer as calls, row_number() over (partition by kind order by count(*) desc, text) as place
           from (select split_part(key, ':', 1) as kind, substr(key, strpos(key, ':') + 1) as text
             from (select unnest(search_keys) as key
               from (select search_keys from calls order by began_at desc, call_key desc limit ${NEWEST_CALLS}) as newest
             ) as keys
             where split_part(key, ':', 1) = any($1)
           ) as each
           where lower(text) like $2 or octet_length(text) > char_length(text)
           group by kind, text
         ) as counted
         where place <= ${READ} order by kind, place`,
        [kinds, wordPattern(part)],
      ),
    );
    const byKind = Map.groupBy(rows, ({ kind }) => kind);
    return fields.flatMap((field) =>
      (byKind.get(filterRow(field).kind) ?? [])
        // The database folds only the case: of texts with other letters than those of ASCII, it returns all.
        .filter(({ text }) => foldText(text).includes(part))
        .map(({ text, calls }) => ({ field, text, calls })),
    );
  }
}
