import { readFileSync } from 'node:fs';
import { ANSWERS_FILE, answersFile, answerTypes } from './answer-types.js';
import type { Schema } from './schema-type.js';

function typesOf(schema: Schema, others: Readonly<Record<string, Schema>> = {}): string {
  const answer = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } } };
  const paths = { '/api/answer': { get: { responses: { '200': answer } } } };
  // Without the header of the file.
  return answerTypes({ paths, components: { schemas: { Answer: schema, ...others } } })
    .split('\n\n')
    .slice(1)
    .join('\n');
}

describe('the types of the responses that the console reads', () => {
  it('are those of docs/openapi.yaml (npm run docs:types writes them)', async () => {
    expect(readFileSync(ANSWERS_FILE, 'utf8')).toBe(await answersFile());
  });

  it('have optional fields, null and literals where the schema has them', () => {
    const properties = {
      id: { type: 'string', minLength: 1, description: 'Never empty' },
      count: { type: ['integer', 'null'] },
      state: { enum: ['on', 'off', null] },
      kind: { const: 'a' },
      'not-a-name': { type: 'boolean' },
    } as const;
    expect(
      typesOf({ type: 'object', description: 'An answer\nof two lines', required: ['id', 'count'], properties }),
    ).toBe(
      `/**
 * An answer
 * of two lines
 */
export interface Answer {
/** Never empty */
readonly id: string;
readonly count: number | null;
readonly state?: "on" | "off" | null;
readonly kind?: "a";
readonly "not-a-name"?: boolean;
}
`,
    );
  });

  it('have the schemas that are referred to, by name, and no others', () => {
    const others = {
      Unused: { type: 'string' },
      Item: { type: 'object', properties: { at: { type: 'string' } } },
    };
    const items = { type: 'array', items: { oneOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }] } };
    const first = { $ref: '#/components/schemas/Item/properties/at' };
    const text = typesOf({ type: 'object', properties: { items, first } }, others);
    expect(text).toContain("readonly items?: readonly (Item | null)[];\nreadonly first?: Item['at'];");
    expect(text).toContain('export interface Item {');
    expect(text).not.toContain('Unused');
  });

  it('have an index signature where other fields are allowed', () => {
    expect(typesOf({ type: 'object', additionalProperties: { type: 'number' } })).toBe(
      'export type Answer = Readonly<Record<string, number>>;\n',
    );
    expect(typesOf({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true })).toContain(
      'readonly a?: string;\nreadonly [field: string]: unknown;',
    );
  });

  it.each<[string, Schema, string]>([
    [
      'an unknown keyword',
      Object.assign({ type: 'string' }, { not: {} }),
      'Answer has the keyword not, which is not supported',
    ],
    ['an unknown type', { type: 'date' }, 'Answer has the type date, which is not supported'],
    ['a schema without a type', {}, 'Answer has no type'],
    [
      'a required field without a schema',
      { type: 'object', required: ['a'] },
      'Answer requires a, but does not describe it',
    ],
    ['a reference to nothing', { $ref: '#/components/schemas/Nothing' }, 'the schema Nothing does not exist'],
    [
      'a reference to something else',
      { $ref: '#/components/schemas/Answer/items' },
      'which is not a schema or a property',
    ],
  ])('are rejected for %s', (_, schema, reason) => {
    expect(() => typesOf(schema)).toThrow(reason);
  });

  it('are rejected for a response without a name', () => {
    const answer = { content: { 'application/json': { schema: { type: 'string' } } } };
    const paths = { '/api/answer': { get: { responses: { '200': answer } } } };
    expect(() => answerTypes({ paths, components: { schemas: {} } })).toThrow(
      'GET /api/answer answers with a schema that has no name',
    );
  });
});
