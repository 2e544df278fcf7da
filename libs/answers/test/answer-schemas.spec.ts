import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { answerSchemas, description, DESCRIPTION_FILE } from './answer-schemas.js';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Operation {
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

const { paths, components }: Description = parse(readFileSync(DESCRIPTION_FILE, 'utf8'));
const schemas = answerSchemas();

/** The places of schemas that allow anything: a type that the generator has not understood. */
function anythingIn(value: unknown, place: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  if (entries.length === 0 && !Array.isArray(value) && !/\.(?:additionalProperties|default)$/.test(place))
    return [place];
  return entries.flatMap(([key, inner]) => anythingIn(inner, `${place}.${key}`));
}

describe('the schemas of answers', () => {
  it('in docs/openapi.yaml are those of the types (npm run docs:types writes them)', async () => {
    expect(readFileSync(DESCRIPTION_FILE, 'utf8')).toBe(await description());
  });

  it('describe the JSON of every GET of the query API, by a name', () => {
    const answers = Object.entries(paths).flatMap(([path, { get }]) => {
      const schema = get?.responses?.['200']?.content?.['application/json']?.schema;
      return path.startsWith('/api/') && schema !== undefined ? [[path, schema]] : [];
    });
    expect(answers.length).toBeGreaterThan(25);
    const known = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }));
    expect(
      answers.filter(([, schema]) => !known.some((each) => JSON.stringify(each) === JSON.stringify(schema))),
    ).toEqual([]);
  });

  it('have the fields, comments and tags of their types', () => {
    expect(schemas['ClockSkew']).toEqual({
      type: 'object',
      description: "Offset of a front end's clock from the collector's, or of an endpoint's from the front end's",
      properties: {
        clock: { type: 'string', enum: ['frontEnd', 'endpoint'] },
        name: {
          type: ['string', 'null'],
          description: 'Of the front end or the endpoint; null if the records do not name it',
        },
        skewSeconds: { type: 'number', description: 'Add this to its times' },
        records: { type: 'integer', minimum: 1, description: 'Number of samples of the estimate' },
      },
      required: ['clock', 'name', 'skewSeconds', 'records'],
    });
  });

  it('have the rows of the catalogue: fields of endpoints with their sentences, others by reference', () => {
    expect(schemas['Endpoint']?.properties).toMatchObject({
      port: { type: 'integer', description: 'port of `ip`' },
      vpn: { type: 'boolean' },
      site: { type: 'string' },
    });
    expect(schemas['Call']?.properties).toMatchObject({ coverage: { $ref: '#/components/schemas/Coverage' } });
    expect(Object.keys(schemas)).not.toContain('Coverage');
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['Coverage', 'StatisticsUnit', 'Dimension']),
    );
  });

  it('leave nothing open that a type says', () => {
    expect(anythingIn(schemas, '')).toEqual([]);
    expect(anythingIn({ A: { properties: { at: {} } } }, '')).toEqual(['.A.properties.at']);
  });
});
