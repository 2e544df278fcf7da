import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
/** Some of those that the documents name, as they name them: an oracle for the rule of scripts/bundle. */
const NAMED: readonly (readonly [string, string])[] = [
  ['apps/collector/src/main.ts', 'dist/collector/main.js'],
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

  it('name the source in the trace of an error', () => {
    const output = run('dist/embedded/users-config.js');
    expect(output).toContain('Error: usage: users-config-main FILE\n');
    expect(output).toMatch(/^ {4}at \S*\/libs\/embedded\/src\/users-config-main\.ts:\d+:\d+$/m);
  });
});
