import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SCHEMA = '#/components/schemas/';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>> }>
  >;
}

/** Of each operation of the query API that answers JSON, the name of its schema. */
function described(): readonly (readonly [string, string])[] {
  const { paths }: Description = parse(readFileSync(join(ROOT, 'docs/openapi.yaml'), 'utf8'));
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) =>
      Object.entries(item[method]?.responses ?? {}).flatMap(([status, { content }]) => {
        const schema = content?.['application/json']?.schema;
        return !path.startsWith('/api/') || !status.startsWith('2') || schema === undefined
          ? []
          : [[`${method.toUpperCase()} ${path}`, schema.$ref?.replace(SCHEMA, '') ?? 'without a name'] as const];
      }),
    ),
  );
}

/** Of each handler of a controller, the type that it answers with, by its name in libs/answers. */
function declared(): readonly (readonly [string, string])[] {
  return globSync('apps/*/src/**/*.controller.ts', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const [, prefix = ''] = /@Controller\('(api\/[^']*)'\)/.exec(source) ?? [];
    if (prefix === '') return [];
    const names = namesOfAnswers(source);
    return source
      .split(/\n {2}@(?=(?:Get|Post|Put|Patch|Delete)\()/)
      .slice(1)
      .flatMap((handler) => {
        const [, method = '', path = ''] = /^(\w+)\((?:'([^']*)')?\)/.exec(handler) ?? [];
        const [, type = ''] = /\): (?:Promise<)?(\w+)>? \{\n/.exec(handler) ?? [];
        const route = ['', prefix, ...(path === '' ? [] : [path])].join('/').replaceAll(/:(\w+)/g, '{$1}');
        return type === 'void'
          ? []
          : [[`${method.toUpperCase()} ${route}`, names.get(type) ?? `${type} of ${file}`] as const];
      });
  });
}

/** The types of libs/answers that a file imports, by the names that they have in it. */
function namesOfAnswers(source: string): ReadonlyMap<string, string> {
  const lists = source.matchAll(/import type \{([^}]*)\} from '@ringdown\/answers\/[\w-]+';/g);
  const names = [...lists].flatMap(([, list = '']) => list.split(',').map((each) => each.trim().split(' as ')));
  return new Map(names.map(([name = '', local = name]) => [local, name]));
}

describe('answers of the query API', () => {
  // What a type says, its schema says: libs/answers/test/answer-schemas.spec.ts.
  it('have in docs/openapi.yaml the schemas of the types that their handlers declare', () => {
    expect(described().length).toBeGreaterThan(35);
    expect(Object.fromEntries(declared())).toEqual(Object.fromEntries(described()));
  });
});
