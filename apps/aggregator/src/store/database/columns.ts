/** One value of a row. PostgreSQL casts the text to the type of the column; a list is an array of texts. Bytes are of a column of type `bytea`. */
export type Value = string | number | boolean | null | undefined | readonly string[] | Uint8Array;

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
  const oids = Object.values(types).map((type) => (isBytes(type) ? BYTEA_OID : TEXT_OID));
  const arrays = (): Buffer[] => columns.map((column, index) => arrayOf(column, oids[index] ?? TEXT_OID));
  let columns: Cell[][] = names.map(() => []);
  let count = 0;
  let characters = 0;
  for (const row of rows) {
    const cells = names.map((name) => cellOf(row[name]));
    const size = cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    if (count > 0 && (count >= CHUNK_ROWS || characters + size > CHUNK_CHARACTERS)) {
      yield arrays();
      columns = names.map(() => []);
      count = 0;
      characters = 0;
    }
    for (const [index, column] of columns.entries()) column.push(cells[index] ?? null);
    count++;
    characters += size;
  }
  if (count > 0) yield arrays();
}

/**
 * The rows of one chunk as the source of a statement, with every column still a text, or bytes: see {@link typed}. Arrays in the
 * select list are unnested row by row; after `from`, each would first be copied into a table of its own.
 */
export function rowsFrom(types: ColumnTypes): string {
  const columns = Object.entries(types).map(([name, type], index) => {
    return `unnest($${index + 1}::${isBytes(type) ? 'bytea' : 'text'}[]) as ${name}`;
  });
  return `(select ${columns.join(', ')}) as new`;
}

/** The column of {@link rowsFrom}, cast to its type. */
export function typed(types: ColumnTypes, name: string): string {
  const type = types[name] ?? 'text';
  return type === 'text' || isBytes(type) ? `new.${name}` : `new.${name}::${type}`;
}

function isBytes(type: string): boolean {
  return type === 'bytea';
}

/** As it is sent. */
type Cell = string | Uint8Array | null;

function cellOf(value: Value): Cell {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  return typeof value === 'object' ? `{${value.map(quoted).join(',')}}` : String(value);
}

function quoted(item: string): string {
  const isPlain = !item.includes('"') && !item.includes('\\');
  return isPlain ? `"${item}"` : `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const TEXT_OID = 25;
const BYTEA_OID = 17;

/** UTF-8 needs at most this many bytes for one JavaScript character. */
const MOST_BYTES = 3;

/** A buffer for arrays whose length is not known yet; as large as the largest one so far. */
let scratch = Buffer.alloc(0);

/**
 * An array of texts or bytes in the format of PostgreSQL's `array_recv`: dimensions, whether there are nulls, type, then each
 * text with its length. The length is known after the text is written; counting bytes first would process every text
 * twice. The returned buffer is no longer than necessary: memory outside the heap makes V8 run full garbage
 * collections.
 */
function arrayOf(cells: readonly Cell[], oid: number): Buffer {
  const most = cells.reduce((sum, cell) => sum + LENGTH_BYTES + MOST_BYTES * (cell?.length ?? 0), HEAD_BYTES);
  if (scratch.length < most) scratch = Buffer.allocUnsafeSlow(most);
  let at = 0;
  for (const number of [1, cells.includes(null) ? 1 : 0, oid, cells.length, 1]) at = scratch.writeInt32BE(number, at);
  for (const cell of cells) {
    const written = cell === null ? 0 : writeCell(cell, at + LENGTH_BYTES);
    at = scratch.writeInt32BE(cell === null ? -1 : written, at) + written;
  }
  return Buffer.from(scratch.subarray(0, at));
}

function writeCell(cell: string | Uint8Array, at: number): number {
  if (typeof cell === 'string') return scratch.write(cell, at);
  scratch.set(cell, at);
  return cell.length;
}
