import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
/** Some of those that the documents name, as they name them: an oracle for the rule of scripts/bundle. */
const NAMED: readonly (readonly [string, string])[] = [
  ['apps/collector/src/main.ts', 'dist/collector/main.js'],
  ['apps/demo/src/main.ts', 'dist/demo/main.js'],
  ['apps/aggregator/src/backup/main.ts', 'dist/aggregator/backup.js'],
  ['apps/aggregator/src/captures/reader-main.ts', 'dist/aggregator/captures-reader.js'],
  ['apps/discovery-auth/src/people-main.ts', 'dist/discovery-auth/people.js'],
  ['libs/directory/src/ldap/reading-thread-main.ts', 'dist/directory/ldap-reading-thread.js'],
];

function run(program: string): string {
  return spawnSync(process.execPath, [join(ROOT, program)], { encoding: 'utf8' }).stderr;
}

function nameOf(source: string): string {
  const [, workspace = '', , ...path] = source.replace(/-?main\.ts$/, '').split('/');
  return `dist/${workspace}/${path.filter((part) => part !== '').join('-') || 'main'}.js`;
}

/** Files of `dist` that a program loads, itself included. */
function loadedFiles(program: string, known = new Set<string>()): ReadonlySet<string> {
  if (known.has(program)) return known;
  known.add(program);
  const code = readFileSync(join(ROOT, program), 'utf8');
  for (const [, path = ''] of code.matchAll(/(?:from|import|import\()\s*"(\.[^"]+\.js)"/g))
    loadedFiles(posix.join(posix.dirname(program), path), known);
  return known;
}

/** Workspaces whose sources are in what a program loads: `apps/sender`. */
function bundledWorkspaces(program: string): ReadonlySet<string> {
  const files = [...loadedFiles(program)].map((file) => join(ROOT, `${file}.map`)).filter((file) => existsSync(file));
  const maps = files.map((file) => readFileSync(file, 'utf8'));
  const sources = maps.flatMap((map): readonly string[] => JSON.parse(map).sources);
  return new Set(sources.flatMap((source) => source.match(/\b(?:apps|libs)\/[\w-]+/)?.[0] ?? []));
}

/** The folders of an image that is built for these services alone. */
function imageFolders(...services: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-manifests-'));
  try {
    for (const file of ['package.json', ...globSync('{apps,libs,tests}/*/package.json', { cwd: ROOT })])
      cpSync(join(ROOT, file), join(folder, file));
    const program = join(ROOT, 'deploy/images/production-manifests.mjs');
    return spawnSync(process.execPath, [program, ...services], { cwd: folder, encoding: 'utf8' })
      .stdout.trim()
      .split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the bundled programs', () => {
  it.each(NAMED)('have %s as %s', (source, program) => {
    expect([source, program].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('are all that are in the sources', () => {
    const sources = globSync('{apps,libs}/*/src/**/{main,*-main}.ts', { cwd: ROOT });
    const bundled = sources.filter((file) => !file.startsWith('libs/testing/')).map((file) => nameOf(file));
    const programs = globSync('dist/*/*.js', { cwd: ROOT }).filter((file) => !file.startsWith('dist/chunks/'));
    expect(new Set(programs)).toEqual(new Set(bundled));
  });

  it('have nothing of the demo in the sender, neither in the program nor in an image of it alone', () => {
    expect(bundledWorkspaces('dist/demo/main.js')).toContain('apps/demo');
    expect([...bundledWorkspaces('dist/sender/main.js')].filter((name) => name.startsWith('apps/'))).toEqual([
      'apps/sender',
    ]);
    expect(imageFolders('demo')).toContain('apps/demo');
    expect(imageFolders('sender').filter((name) => name.startsWith('apps/'))).toEqual(['apps/sender']);
  });

  it('name the source in the trace of an error', () => {
    const output = run('dist/embedded/users-config.js');
    expect(output).toContain('Error: usage: users-config-main FILE\n');
    expect(output).toMatch(/^ {4}at \S*\/libs\/embedded\/src\/users-config-main\.ts:\d+:\d+$/m);
  });
});
