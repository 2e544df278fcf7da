import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const WORKSPACES = '{apps,libs,tests}/*';

function sourceFiles(): readonly string[] {
  return globSync(`${WORKSPACES}/{src,test}/**/*.{ts,tsx}`, { cwd: ROOT });
}

function text(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function countBy(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function above(most: number, counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].filter(([, count]) => count > most).map(([name, count]) => `${name}: ${count}`);
}

/** The names that a file exports, each list `export { … } from` included. */
function exportedNames(source: string): readonly string[] {
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  const declared = source.match(
    /^export (?:declare |async |abstract )*(?:function|const|class|interface|type|enum) \w/gm,
  );
  return [...listed.filter((name) => name.trim() !== ''), ...(declared ?? [])];
}

/** Files that other workspaces import by the name of a lib: those of `exports` that are no patterns of paths. */
function doors(): readonly string[] {
  return globSync('libs/*/package.json', { cwd: ROOT }).flatMap((manifest) => {
    const { exports = {} } = JSON.parse(text(manifest)) as { readonly exports?: Readonly<Record<string, unknown>> };
    return Object.values(exports)
      .filter((file): file is string => typeof file === 'string' && file.endsWith('.js') && !file.includes('*'))
      .map((file) => join(dirname(manifest), file.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts')));
  });
}

describe('the layout of the sources', () => {
  it('has at most 30 files flat in a folder, tests beside them not counted', () => {
    const files = sourceFiles().filter((file) => file.includes('/src/') && !/\.spec\.tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(1_000);
    const commands = globSync('scripts/**/*.{mjs,cjs}', { cwd: ROOT });
    expect(commands.length).toBeGreaterThan(50);
    expect(above(30, countBy([...files, ...commands].map((file) => dirname(file))))).toEqual([]);
  });

  it('has at most 25 names at each door of a lib', () => {
    expect(doors().length).toBeGreaterThan(30);
    const names = new Map(doors().map((door) => [door, exportedNames(text(door)).length]));
    expect(above(25, names)).toEqual([]);
    expect([...names].filter(([, count]) => count === 0)).toEqual([]);
  });

  it('has no function or constant with the same name in …Of in more than two files', () => {
    const defined = sourceFiles().flatMap((file) => [
      ...new Set(
        [...text(file).matchAll(/^(?:export )?(?:async )?(?:function\*?|const|let) (\w+Of)\b/gm)].map(
          ([, name = '']) => name,
        ),
      ),
    ]);
    expect(defined.length).toBeGreaterThan(100);
    expect(above(2, countBy(defined))).toEqual([]);
  });

  it('has no folder or file that is named after nothing', () => {
    const names = sourceFiles().flatMap((file) => [basename(file), ...dirname(file).split('/')]);
    expect(names.filter((name) => /^(utils?|common|helpers?|manager|misc|shared)(\.|$)/.test(name))).toEqual([]);
  });
});
