/** Many rows are sent to the database as one JSON document: one statement, one plan, no limit on parameters. */
const CHUNK_ROWS = 500;
const CHUNK_CHARACTERS = 4 * 1_024 * 1_024;

/** JSON documents of rows, each small enough for one statement. */
export function* jsonChunks(rows: Iterable<unknown>): Generator<string> {
  let chunk: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (chunk.length > 0 && (chunk.length >= CHUNK_ROWS || characters + text.length > CHUNK_CHARACTERS)) {
      yield `[${chunk.join(',')}]`;
      chunk = [];
      characters = 0;
    }
    chunk.push(text);
    characters += text.length;
  }
  if (chunk.length > 0) yield `[${chunk.join(',')}]`;
}
