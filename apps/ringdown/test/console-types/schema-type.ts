/** The part of JSON Schema that the responses of the query API use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly description?: string;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};
const OF_TYPES = ['$ref', 'type', 'enum', 'const', 'oneOf', 'anyOf', 'properties', 'required', 'items', 'description'];
/** Keywords that restrict values in ways that a TypeScript type cannot. */
const BEYOND_TYPES = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];
const OTHERS = ['additionalProperties', 'default', 'example', 'examples', 'xml'];
const KNOWN: ReadonlySet<string> = new Set([...OF_TYPES, ...BEYOND_TYPES, ...OTHERS]);

/** The TypeScript of a schema; braces with fields where `isFields` is true. */
export interface TypeText {
  readonly text: string;
  readonly isFields: boolean;
}

/**
 * The type of a schema. Throws, with the `place` in the description, for an unknown keyword: a type that ignored it
 * could promise more than the description does.
 */
export function schemaType(schema: Schema, place: string): TypeText {
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword));
  if (unknown !== undefined) throw new Error(`${place} has the keyword ${unknown}, which is not supported`);
  if (schema.$ref !== undefined) return plain(referenced(schema.$ref, place));
  if (schema.enum !== undefined) return plain(schema.enum.map((value) => JSON.stringify(value)).join(' | '));
  if (schema.const !== undefined) return plain(JSON.stringify(schema.const));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return union(choices.map((choice) => schemaType(choice, place)));
  if (schema.type === undefined) throw new Error(`${place} has no type`);
  return union([schema.type].flat().map((type) => namedType(type, schema, place)));
}

function plain(text: string): TypeText {
  return { text, isFields: false };
}

function union(types: readonly TypeText[]): TypeText {
  const [first] = types;
  return types.length === 1 && first !== undefined ? first : plain(types.map(({ text }) => text).join(' | '));
}

function namedType(type: string, schema: Schema, place: string): TypeText {
  if (type === 'object') return objectType(schema, place);
  if (type === 'array') {
    if (schema.items === undefined) throw new Error(`${place} does not describe its items`);
    return plain(`readonly (${schemaType(schema.items, `${place}[]`).text})[]`);
  }
  const scalar = SCALARS[type];
  if (scalar === undefined) throw new Error(`${place} has the type ${type}, which is not supported`);
  return plain(scalar);
}

function objectType({ properties = {}, required = [], additionalProperties = false }: Schema, place: string): TypeText {
  const missing = required.find((name) => !(name in properties));
  if (missing !== undefined) throw new Error(`${place} requires ${missing}, but does not describe it`);
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentOf(schema)}readonly ${propertyKey(name)}${mark}: ${schemaType(schema, `${place}.${name}`).text};`;
  });
  if (additionalProperties !== false) {
    const rest = additionalProperties === true ? 'unknown' : schemaType(additionalProperties, `${place}.*`).text;
    if (fields.length === 0) return plain(`Readonly<Record<string, ${rest}>>`);
    fields.push(`readonly [field: string]: ${rest};`);
  }
  return { text: `{\n${fields.join('\n')}\n}`, isFields: true };
}

/** `#/components/schemas/Call`, or `#/components/schemas/Call/properties/cause`. */
function referenced(reference: string, place: string): string {
  const [, name, property] = /^#\/components\/schemas\/(\w+)(?:\/properties\/(\w+))?$/.exec(reference) ?? [];
  if (name === undefined)
    throw new Error(`${place} refers to ${reference}, which is not a schema or a property of one`);
  return property === undefined ? name : `${name}['${property}']`;
}

function propertyKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** The description as a comment with a line end, or an empty text. */
export function commentOf({ description }: Schema): string {
  if (description === undefined) return '';
  const lines = description.trim().replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line.trim()}`).join('\n')}\n */\n`;
}
