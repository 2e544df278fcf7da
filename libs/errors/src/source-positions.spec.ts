import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULE = new URL('./source-positions.js', import.meta.url).href;

describe('stack traces of a bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-stacks-'));
  const bundle = join(folder, 'bundle.mjs');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Standard output of a program that prints the stack of an error; its second line is the bundled one. */
  function printed(error: string): string {
    const begin = `import { nameSourcesInStacks } from ${JSON.stringify(MODULE)}; nameSourcesInStacks();\n`;
    writeFileSync(bundle, `${begin}function fail() { return ${error}; }\nconsole.log(fail().stack);\n`);
    return execFileSync(process.execPath, [bundle], { encoding: 'utf8' });
  }

  it('name the source of each frame', () => {
    // The second line of the bundle is the eleventh of the source.
    const map = { version: 3, sources: ['lib/src/fail.ts'], names: [], mappings: ';AAUA;AACA' };
    writeFileSync(`${bundle}.map`, JSON.stringify(map));
    const [head, first] = printed("new TypeError('no')").split('\n');
    expect(head).toBe('TypeError: no');
    expect(first).toBe(`    at fail (${join(folder, 'lib/src/fail.ts')}:11:1)`);
  });

  it.each([
    ['there is no map', undefined],
    ['the map is damaged', '{'],
    ['the map knows nothing of the place', '{"version":3,"sources":[],"names":[],"mappings":""}'],
  ])('are written as they are if %s', (_when, map) => {
    rmSync(`${bundle}.map`, { force: true });
    if (map !== undefined) writeFileSync(`${bundle}.map`, map);
    expect(printed("new Error('no')").split('\n')[1]).toContain(`    at fail (${new URL(`file://${bundle}`).href}:2:`);
  });

  it('begin with <error> if the error has no text', () => {
    expect(printed("Object.assign(new Error(), { toString() { throw new Error('no text'); } })")).toMatch(/^<error>\n/);
  });

  it('leave frames of Node as they are', () => {
    expect(printed("new Error('no')")).toContain(' (node:internal/');
    expect(fileURLToPath(MODULE)).toMatch(/source-positions\.js$/);
  });
});
