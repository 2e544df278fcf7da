import { ENDPOINT_ROWS, type FieldRow } from '@ringdown/call-catalogue/fields';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  DefinitionType,
  ObjectType,
  SchemaGenerator,
  StringType,
  type BaseType,
  type CompletedConfig,
  type SubNodeParser,
} from 'ts-json-schema-generator';
import { Document, isPair, isScalar, visit } from 'yaml';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const DESCRIPTION_FILE = `${ROOT}docs/openapi.yaml`;

/** The part of a schema that is read here. */
export interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
}

type Schemas = Readonly<Record<string, Schema>>;
type Node = Parameters<SubNodeParser['supportsNode']>[0];

/** Types of this file are rows of the catalogue: their schemas are parts of docs/openapi.yaml that `npm run docs:catalogue` writes. */
const CATALOGUE = '/answers/src/catalogue.ts';
const OF_FIELDS: Readonly<Record<FieldRow['conversion'], string>> = {
  text: 'string',
  integer: 'integer',
  number: 'number',
  port: 'integer',
  boolean: 'boolean',
};

/** Refers to the types of the catalogue by their names. */
class CatalogueTypes implements SubNodeParser {
  readonly names = new Set<string>();

  supportsNode(node: Node): boolean {
    return 'name' in node && node.getSourceFile().fileName.endsWith(CATALOGUE);
  }

  createType(node: Node): BaseType {
    const [, name = ''] = /^export type (\w+)/.exec(node.getText()) ?? [];
    if (name === 'EndpointFields') return new ObjectType(name, [], [], true);
    this.names.add(name);
    return new DefinitionType(name, new StringType());
  }
}

/** The schemas of all types of libs/answers, by their names. */
export function answerSchemas(): Schemas {
  const config: CompletedConfig = {
    ...DEFAULT_CONFIG,
    path: `${ROOT}libs/answers/src/!(catalogue).ts`,
    // Newer targets than the TypeScript of the generator knows do not matter to types.
    tsconfig: `${ROOT}libs/answers/test/tsconfig.schemas.json`,
    skipTypeCheck: true,
    encodeRefs: false,
    sortProps: false,
    // A client ignores fields that it does not know; the tests of conformance do not.
    additionalProperties: true,
    extraTags: ['additionalProperties'],
  };
  const catalogue = new CatalogueTypes();
  const program = createProgram(config);
  const parser = createParser(program, config, (chain) => chain.addNodeParser(catalogue));
  const generator = new SchemaGenerator(program, parser, createFormatter(config), config);
  const text = JSON.stringify(generator.createSchema('*').definitions).replaceAll(
    '"#/definitions/',
    '"#/components/schemas/',
  );
  const { Endpoint = {}, ...schemas }: Schemas = JSON.parse(text);
  const fields = ENDPOINT_ROWS.map(({ field, conversion, brief }: FieldRow) => [
    field,
    { type: OF_FIELDS[conversion], description: brief },
  ]);
  const endpoint = { ...Endpoint, properties: { ...Object.fromEntries(fields), ...Endpoint.properties } };
  const all = Object.entries({ ...schemas, Endpoint: endpoint }).filter(([name]) => !catalogue.names.has(name));
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const BEGIN = '    # generated: answers\n';
const END = '    # end of generated\n';

/** The text of {@link DESCRIPTION_FILE} with the schemas of now. Throws an Error if it has no place for them. */
export async function description(): Promise<string> {
  const [before = '', after] = readFileSync(DESCRIPTION_FILE, 'utf8').split(BEGIN);
  if (after === undefined) throw new Error(`${DESCRIPTION_FILE} has no part "generated: answers"`);
  const schemas = new Document(answerSchemas());
  // What has nothing inside but scalars is one line.
  visit(schemas, {
    Collection: (_, each) => void (each.flow = each.items.every((item) => isScalar(isPair(item) ? item.value : item))),
  });
  const lines = schemas.toString({ lineWidth: 0 }).replaceAll(/^(?=.)/gm, '    ');
  const text = `${before}${BEGIN}${lines}${after.slice(after.indexOf(END))}`;
  return format(text, { ...(await resolveConfig(DESCRIPTION_FILE)), parser: 'yaml' });
}
