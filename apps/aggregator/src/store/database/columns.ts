/** One value of a row. PostgreSQL casts the text to the type of the column; a list is an array of texts. */
export type Value = string | number | boolean | null | undefined | readonly string[];

export type ColumnTypes = Readonly<Record<string, string>>;

export type RowOf<T extends ColumnTypes> = { readonly [K in keyof T]: Value };

/** Limits what one statement holds in memory, here and in the database. */
const CHUNK_ROWS = 500;
const CHUNK_CHARACTERS = 4 * 1_024 * 1_024;

/**
 * Many rows are sent to the database as one array per column, in PostgreSQL's binary format: one statement, one plan,
 * and no text to be escaped here and parsed again there. That was most of the cost of writing a call.
 */
export function* columnChunks<T extends ColumnTypes>(types: T, rows: Iterable<RowOf<T>>): Generator<Buffer[]> {
  const names = Object.keys(types);
  let columns: (string | null)[][] = names.map(() => []);
  let count = 0;
  let characters = 0;
  for (const row of rows) {
    const texts = names.map((name) => columnText(row[name]));
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
 * The rows of one chunk as the source of a statement, with every column still a text: see {@link typed}. Arrays in the
 * select list are unnested row by row; after `from`, each would first be copied into a table of its own.
 */
export function rowsFrom(types: ColumnTypes): string {
  const columns = Object.keys(types).map((name, index) => `unnest($${index + 1}::text[]) as ${name}`);
  return `(select ${columns.join(', ')}) as new`;
}

/** The column of {@link rowsFrom}, cast to its type. */
export function typed(types: ColumnTypes, name: string): string {
  return types[name] === 'text' ? `new.${name}` : `new.${name}::${types[name]}`;
}

function columnText(value: Value): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? `{${value.map(quoted).join(',')}}` : String(value);
}

function quoted(item: string): string {
  return `"${/["\\]/.test(item) ? item.replaceAll(/["\\]/g, String.raw`\$&`) : item}"`;
}

const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const TEXT_OID = 25;

/** UTF-8 needs at most this many bytes for one JavaScript character. */
const MOST_BYTES = 3;

/** A buffer for arrays whose length is not known yet; as large as the largest one so far. */
let scratch = Buffer.alloc(0);

/**
 * An array of texts in the format of PostgreSQL's `array_recv`: dimensions, whether there are nulls, type, then each
 * text with its length. The length is known after the text is written; counting bytes first would process every text
 * twice. The returned buffer is no longer than necessary: memory outside the heap makes V8 run full garbage
 * collections.
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
