/** One value of a row. PostgreSQL makes of the text what the column is; a list is one of texts. */
export type Value = string | number | boolean | null | undefined | readonly string[];

export type ColumnTypes = Readonly<Record<string, string>>;

export type RowOf<T extends ColumnTypes> = { readonly [K in keyof T]: Value };

/** Bounds what one statement holds in memory, here and in the database. */
const CHUNK_ROWS = 500;
const CHUNK_CHARACTERS = 4 * 1_024 * 1_024;

/**
 * Many rows go to the database as one array a column, in PostgreSQL's binary form: one statement, one plan, and no text
 * that has to be escaped here and taken apart again there. That was most of what writing a call cost.
 */
export function* columnChunks<T extends ColumnTypes>(types: T, rows: Iterable<RowOf<T>>): Generator<Buffer[]> {
  const names = Object.keys(types);
  let columns: (string | null)[][] = names.map(() => []);
  let count = 0;
  let characters = 0;
  for (const row of rows) {
    const texts = names.map((name) => textOf(row[name]));
    const size = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (count > 0 && (count >= CHUNK_ROWS || characters + size > CHUNK_CHARACTERS)) {
      yield columns.map(textArray);
      columns = names.map(() => []);
      count = 0;
      characters = 0;
    }
    for (const [index, column] of columns.entries()) column.push(texts[index] ?? null);
    count++;
    characters += size;
  }
  if (count > 0) yield columns.map(textArray);
}

/**
 * The rows of one chunk as the source of a statement, every column still a text: see {@link typed}. Arrays that stand in
 * the list of columns are taken apart row by row; behind `from`, each would be copied into a table of its own before.
 */
export function rowsFrom(types: ColumnTypes): string {
  const columns = Object.keys(types).map((name, index) => `unnest($${index + 1}::text[]) as ${name}`);
  return `(select ${columns.join(', ')}) as new`;
}

/** The column of {@link rowsFrom} as what it is. */
export function typed(types: ColumnTypes, name: string): string {
  return types[name] === 'text' ? `new.${name}` : `new.${name}::${types[name]}`;
}

function textOf(value: Value): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? `{${value.map(quoted).join(',')}}` : String(value);
}

function quoted(item: string): string {
  return `"${/["\\]/.test(item) ? item.replaceAll(/["\\]/g, String.raw`\$&`) : item}"`;
}

const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const TEXT_OID = 25;

/** UTF-8 needs at most so many bytes for one of JavaScript's characters. */
const MOST_BYTES = 3;

/** Where arrays are written before it is known how long they are; as large as the largest so far. */
let scratch = Buffer.alloc(0);

/**
 * An array of texts as `array_recv` of PostgreSQL reads it: dimensions, whether there are nulls, type, then each with its
 * length. That is known once the text is written; to count its bytes before would be to go through every text twice.
 * What is given away is no longer than it has to be: memory outside of the heap makes V8 collect all of it.
 */
function textArray(texts: readonly (string | null)[]): Buffer {
  const most = texts.reduce((sum, text) => sum + LENGTH_BYTES + MOST_BYTES * (text?.length ?? 0), HEAD_BYTES);
  if (scratch.length < most) scratch = Buffer.allocUnsafeSlow(most);
  let at = 0;
  for (const number of [1, texts.includes(null) ? 1 : 0, TEXT_OID, texts.length, 1])
    at = scratch.writeInt32BE(number, at);
  for (const text of texts) {
    const written = text === null ? 0 : scratch.write(text, at + LENGTH_BYTES);
    at = scratch.writeInt32BE(text === null ? -1 : written, at) + written;
  }
  return Buffer.from(scratch.subarray(0, at));
}
