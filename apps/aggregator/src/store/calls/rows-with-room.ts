/**
 * A call that is not sealed has three to five characters for each byte that is stored of it. More than so many in one stored byte (texts that repeat
 * themselves) only means that a page ends later.
 */
const CHARACTERS_OF_A_BYTE = 4;

/** What `calls` has stored of a call; of a sealed one, what it would be otherwise. */
const STORED_BYTES = `coalesce(call_bytes / ${CHARACTERS_OF_A_BYTE}, pg_column_size(call))`;

export interface RowsWithRoom {
  /** A query for the rows, with `call` and `call_bytes`. */
  readonly page: string;
  /** Of these rows, `found` and `characters`. */
  readonly columns: string;
  /** `order by …` of their columns. */
  readonly sorting: string;
  /** A page has no more characters than this, not counting its first call. */
  readonly mostCharacters: number;
  /** What is left of them: SQL. */
  readonly room: string;
}

/**
 * A query for the first rows of a page, as many as there is room for, but at least one: with `found`, how many the page has, and
 * `characters`, the size of each call. For a size in characters, all of a call is read, unpacked and copied as text: it is computed
 * once, and only of rows for which there may be room. How many bytes are stored of a call is known without reading it.
 */
export function rowsWithRoom({ page, columns, sorting, mostCharacters, room }: RowsWithRoom): string {
  const before = 'rows between unbounded preceding and 1 preceding';
  return `select ${columns} from (
       select *, sum(characters) over (${sorting} ${before}) as characters_before
       from (
         select *, coalesce(call_bytes, octet_length(call::text)) as characters
         from (
           select *, (count(*) over ())::integer as found, sum(${STORED_BYTES}) over (${sorting} ${before}) as bytes_before
           from (${page}) as page
         ) as stored
         where bytes_before is null or bytes_before < ${Math.ceil(mostCharacters / CHARACTERS_OF_A_BYTE)}
         offset 0
       ) as sized
     ) as so_far
     where characters_before is null or characters_before < ${room} ${sorting}`;
}
