import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../../../..');

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

describe('SECURITY.md', () => {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
  const promises = text
    .slice(text.indexOf('## Promises and their tests'))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:-|Promise )/.test(line));
  const filesOf = (row: string): readonly string[] =>
    [...row.matchAll(/`((?:apps|libs|tests)\/[^`\s]+\.ts)`/g)].flatMap(([, file]) => file ?? []);

  it('has a table of promises', () => {
    expect(promises.length).toBeGreaterThan(30);
  });

  it('lists at least one test beside each promise', () => {
    expect(promises.filter((row) => filesOf(row).length === 0)).toEqual([]);
  });

  it('lists only tests that exist', () => {
    expect(filesOf(text).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('lists only files that Jest runs, or that the attacks on the default settings import', () => {
    const folder = 'tests/attacks/test/default-settings';
    const imports = readFileSync(join(ROOT, `${folder}.spec.ts`), 'utf8');
    const isImported = (file: string): boolean =>
      file.startsWith(`${folder}/`) && imports.includes(`'./default-settings/${basename(file, '.ts')}.js'`);
    expect(filesOf(text).filter((file) => !file.endsWith('.spec.ts') && !isImported(file))).toEqual([]);
  });
});

describe('docs/openapi.yaml', () => {
  const { paths, components }: Description = parse(readFileSync(join(ROOT, 'docs/openapi.yaml'), 'utf8'));
  const limited = Object.keys(paths).filter((path) => path.startsWith('/api/'));

  it.each(limited)('documents 429 with Retry-After for %s when a user sends too many requests', (path) => {
    const { get, post, delete: remove } = paths[path] ?? {};
    const { $ref = '' }: { $ref?: string } = Object((get ?? post ?? remove)?.responses['429']);
    const name = $ref.replace('#/components/responses/', '');
    expect(Object.keys(components.responses[name]?.headers ?? {})).toContain('Retry-After');
  });

  it('documents each limit of a user in the response', () => {
    const { description }: { description?: string } = Object(components.responses['ProblemTooMany']);
    for (const setting of ['API_REQUESTS_PER_MINUTE', 'EXPORTS_PER_USER', 'LIVE_READERS_PER_USER', 'SEARCH_BY_NAME'])
      expect(description).toContain(setting);
  });
});
