import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** As much of JSON Schema as the description of answers uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly responses: Readonly<Record<string, Answer>> } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
}

const root = new URL('../../../../', import.meta.url);
const { paths, components }: Description = parse(readFileSync(new URL('docs/openapi.yaml', root), 'utf8'));

/** Whole answers that have no name in the description. */
const ANSWERS: Readonly<Record<string, string>> = {
  CallPage: '/api/calls',
  Page: '/api/front-ends',
  RunningServices: '/api/services',
  TimelinePage: '/api/calls/{callId}/timeline',
};

/** The console's own types of what it reads, by their names: they are written plainly, one field below the other. */
function typesOfConsole(): ReadonlyMap<string, readonly Field[]> {
  const folder = new URL('apps/console/src/api/', root);
  const files = readdirSync(folder).filter((file) => /^(?!.*\.spec\.).*\.ts$/.test(file));
  const text = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
  const interfaces = text.matchAll(/^export interface (\w+)[^{\n]*\{\n(.*?)^\}/gms);
  return new Map([...interfaces].map(([, name = '', body = '']) => [name, fieldsIn(body)]));
}

function fieldsIn(body: string): readonly Field[] {
  // What follows the last semicolon is a comment of the next field.
  const fields = body.split(/^ {2}(?=readonly )/m).map((field) => field.slice(0, field.lastIndexOf(';')));
  return fields.flatMap((field) => {
    const [, name, mark, type = ''] = /^readonly (\w+)(\??): (.*)$/s.exec(field) ?? [];
    return name === undefined ? [] : { name, isOptional: mark === '?', isNullable: type.endsWith('| null') };
  });
}

function schemaOf(name: string): Schema | undefined {
  const path = ANSWERS[name];
  if (path === undefined) return components.schemas[name];
  return resolved(paths[path]?.get?.responses['200']?.content?.['application/json']?.schema ?? {});
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : resolved(components.schemas[name] ?? {});
}

function mayBeNull(schema: Schema): boolean {
  const { type = [], oneOf = [], anyOf = [], enum: values = [] } = resolved(schema);
  return [type].flat().includes('null') || values.includes(null) || [...oneOf, ...anyOf].some(mayBeNull);
}

/** What the console expects of a field that the description does not promise. */
function faultsOf(name: string, fields: readonly Field[]): readonly string[] {
  const { properties = {}, required = [] } = schemaOf(name) ?? {};
  return fields.flatMap(({ name: field, isOptional, isNullable }) => {
    const schema = properties[field];
    if (schema === undefined) return [`${name}.${field} is not described`];
    return [
      ...(isOptional || required.includes(field) ? [] : [`${name}.${field} may be missing`]),
      ...(isNullable || !mayBeNull(schema) ? [] : [`${name}.${field} may be null`]),
    ];
  });
}

describe('what the console reads and docs/openapi.yaml', () => {
  const types = typesOfConsole();
  const described = [...types].filter(([name]) => schemaOf(name) !== undefined);

  it('have the main things in common', () => {
    const names = ['Call', 'CallStream', 'CallQuality', 'CallWithRecords', 'FrontEnd', 'RunningService', 'Caller'];
    expect(described.map(([name]) => name)).toEqual(expect.arrayContaining([...names, ...Object.keys(ANSWERS)]));
    expect(types.get('Call')?.length).toBeGreaterThan(20);
    for (const [name, fields] of described) expect([name, fields.length > 0]).toEqual([name, true]);
  });

  it.each(described)('agree on %s', (name, fields) => {
    expect(faultsOf(name, fields)).toEqual([]);
  });

  it('would not agree on what is not there, may be missing or may be null', () => {
    const own = { isOptional: false, isNullable: false };
    const fields = ['callId', 'madeUp', 'conversationId'].map((name) => ({ name, ...own }));
    expect(faultsOf('Call', fields)).toEqual(['Call.madeUp is not described', 'Call.conversationId may be null']);
    expect(faultsOf('Codec', [{ name: 'payloadType', ...own }])).toEqual(['Codec.payloadType may be missing']);
  });
});
