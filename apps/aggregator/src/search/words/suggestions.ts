import type { Suggestion } from '@ringdown/answers/searches';
import { foldText } from './search-text.js';
import { wordPattern } from './search-words.js';
import { searchKey, type SearchKind } from '../keys/search-keys.js';
import type { Database } from '../../store/database/database.js';

/** Enough for the values that an operator works with, and few enough to be read for each letter that is typed. */
const NEWEST_CALLS = 2_000;
/** Of hidden values, both forms are keys: more are read than are returned. */
const READ = 2_000;

/** Values of a field among the newest calls. */
export class Suggestions {
  constructor(private readonly database: Database) {}

  /** The most frequent first. `part`: of the value, in the form of `foldText`. */
  async of(kind: SearchKind, part: string): Promise<readonly Suggestion[]> {
    const prefix = searchKey(kind, '');
    const { rows } = await this.database.readLagging((transaction) =>
      transaction.query<Suggestion>(
        `select substr(key, ${prefix.length + 1}) as text, count(*)::integer as calls
         from (select unnest(search_keys) as key
           from (select search_keys from calls order by began_at desc, call_key desc limit ${NEWEST_CALLS}) as newest
         ) as keys
         where starts_with(key, $1)
           and (lower(substr(key, ${prefix.length + 1})) like $2 or octet_length(key) > char_length(key))
         group by key order by calls desc, key limit ${READ}`,
        [prefix, wordPattern(part)],
      ),
    );
    // The database folds only the case: of texts with other letters than those of ASCII, it returns all.
    return rows.filter(({ text }) => foldText(text).includes(part));
  }
}
