import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import * as fc from 'fast-check';
import { columnChunks, rowsFrom, typed, type RowOf } from '../src/store/database/columns.js';
import { Database } from '../src/store/database/database.js';

const TYPES = { number: 'integer', name: 'text', names: 'text[]', document: 'json', sure: 'boolean' } as const;

describe('rows written as arrays', () => {
  let server: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await startPostgres();
    database = new Database({ url: server.url, poolSize: 2, logger: quietLogger() });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  const columns = Object.keys(TYPES).map((name) => typed(TYPES, name));
  const written = async (rows: readonly RowOf<typeof TYPES>[]): Promise<{ rows: unknown[]; statements: number }> => {
    const chunks = [...columnChunks(TYPES, rows)];
    const read = await database.read(async (transaction) => {
      const found: unknown[] = [];
      for (const chunk of chunks) {
        const { rows: some } = await transaction.query(`select ${columns.join(', ')} from ${rowsFrom(TYPES)}`, chunk);
        found.push(...some);
      }
      return found;
    });
    return { rows: read, statements: chunks.length };
  };

  it('are stored unchanged, whatever they contain', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 40 })
      .map((any) => any.replaceAll('\0', ''))
      .chain((any) => fc.constantFrom(any, `"${any}"`, `\\${any}`, `{${any},NULL}`, ` ${any} `));
    const row = fc.record({
      number: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      name: fc.option(text),
      names: fc.array(text, { maxLength: 4 }),
      document: text,
      sure: fc.option(fc.boolean()),
    });
    const property = fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const asRows = rows.map((each) => ({ ...each, document: JSON.stringify(each.document) }));
      expect((await written(asRows)).rows).toEqual(rows);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('are sent in several statements when they are many or long', async () => {
    const row = { names: [], document: '{}', sure: true };
    const many = Array.from({ length: 1_001 }, (_, number) => ({ ...row, number, name: '' }));
    const sent = await written(many);
    expect(sent.statements).toBe(3);
    expect(sent.rows).toMatchObject(many.map(({ number }) => ({ number })));
    const long = Array.from({ length: 3 }, (_, number) => ({ ...row, number, name: 'x'.repeat(3_000_000) }));
    expect((await written(long)).statements).toBe(3);
    expect((await written([])).statements).toBe(0);
  });
});
