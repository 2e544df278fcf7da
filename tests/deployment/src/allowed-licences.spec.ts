import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromScript, script } from './scripts.js';

const LICENCES = script('supply/licences.mjs');
const RULES = script('supply/licence-rules.mjs');
const BUNDLED = script('bundle/licences.mjs');

interface Package {
  readonly license?: string;
  readonly version?: string;
  readonly dev?: true;
  readonly name?: string;
}

const exceptions = fromScript(
  `import { NAMED_ELSEWHERE } from '${RULES}'; console.log(JSON.stringify(NAMED_ELSEWHERE));`,
) as readonly { readonly name: string; readonly why: string; readonly text: string }[]; // what the line prints

describe('the licences of packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-licences-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The problems of a lock file with these packages, and the exceptions of ours. `installed`: texts of files by path. */
  function problems(
    packages: Readonly<Record<string, Package>>,
    installed: Readonly<Record<string, string>> = {},
  ): unknown {
    const root = mkdtempSync(join(folder, 'root-'));
    for (const [path, text] of Object.entries(installed)) {
      mkdirSync(join(root, 'node_modules', path, '..'), { recursive: true });
      writeFileSync(join(root, 'node_modules', path), text);
    }
    const listed = Object.fromEntries(exceptions.map(({ name }) => [`node_modules/${name}`, { version: '1.0.0' }]));
    const given = Object.entries(packages).map(([name, entry]) => [
      `node_modules/${name}`,
      { version: '1.0.0', ...entry },
    ]);
    const lock = { packages: { '': {}, ...listed, ...Object.fromEntries(given) } };
    return fromScript(
      `import { licenceProblems } from '${LICENCES}';
       console.log(JSON.stringify(licenceProblems(${JSON.stringify(lock)}, ${JSON.stringify(root)})));`,
    );
  }

  it.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'MIT AND BSD-3-Clause', '(WTFPL OR CC0-1.0)'])(
    'allow %s',
    (license) => expect(problems({ some: { license } })).toEqual([]),
  );

  it.each(['GPL-3.0-only', 'AGPL-3.0-or-later', 'UNLICENSED', 'SEE LICENSE IN x', 'MIT AND GPL-2.0-only', 'WTFPL', ''])(
    'reject "%s" with the name of the package',
    (license) =>
      expect(problems({ some: { license } })).toEqual([
        `some 1.0.0: its licence ${license} is not allowed in what is distributed (scripts/supply/licence-rules.mjs)`,
      ]),
  );

  it('allow MPL-2.0 for tools alone', () => {
    expect(problems({ tool: { license: 'MPL-2.0', dev: true } })).toEqual([]);
    expect(problems({ tool: { license: 'MPL-2.0' } })).toHaveLength(1);
    expect(problems({ tool: { license: 'GPL-3.0-only', dev: true } })).toHaveLength(1);
  });

  it('are those of the package behind an alias, in any folder', () => {
    expect(problems({ 'a/node_modules/alias': { name: 'real', license: 'GPL-3.0-only' } })).toEqual([
      'real 1.0.0: its licence GPL-3.0-only is not allowed in what is distributed (scripts/supply/licence-rules.mjs)',
    ]);
  });

  it('must be named, unless the package is in the list of exceptions', () => {
    expect(problems({ nameless: {} })).toEqual([
      'nameless 1.0.0: it has no licence; if it has a text of one, add it to licence-rules.mjs',
    ]);
  });

  it('must be in the manifest of the package as in the lock file', () => {
    const changed = { 'some/package.json': '{"license":"GPL-3.0-only"}' };
    expect(problems({ some: { license: 'MIT' } }, changed)).toEqual([
      'some 1.0.0: the lock file says MIT, and its package.json GPL-3.0-only',
    ]);
  });

  it('are read from the texts of the exceptions', () => {
    const manifest = { 'ssh2/package.json': '{}' };
    const text = exceptions.find(({ name }) => name === 'ssh2')?.text ?? '';
    expect(problems({}, { ...manifest, 'ssh2/LICENSE': `x\n${text}, to …` })).toEqual([]);
    for (const installed of [manifest, { ...manifest, 'ssh2/LICENSE': 'All rights reserved.' }])
      expect(problems({}, installed)).toEqual(['ssh2 1.0.0: its LICENSE is no longer that of MIT (licence-rules.mjs)']);
  });

  it('have no exception for a package that is gone, and a reason for each', () => {
    const lock = JSON.stringify({ packages: {} });
    const stale = fromScript(
      `import { licenceProblems } from '${LICENCES}'; console.log(JSON.stringify(licenceProblems(${lock}, '/')));`,
    );
    expect(stale).toEqual(
      exceptions.map(({ name }) => `${name} is in the list of exceptions and not in the lock file: remove it there`),
    );
    expect(exceptions.filter(({ why }) => why.length < 10)).toEqual([]);
  });

  it('are allowed in what is distributed for all that bundles and the console contain', () => {
    const [refused, count] = fromScript(
      `import { readFileSync } from 'node:fs';
       import { LICENCES, packagesIn } from '${BUNDLED}';
       import { isAllowed } from '${LICENCES}';
       const packages = ['dist', 'apps/console/dist/site'].flatMap((folder) =>
         packagesIn(readFileSync(folder + '/' + LICENCES, 'utf8')));
       console.log(JSON.stringify([packages.filter(({ licence }) => !isAllowed(licence ?? '')), packages.length]));`,
    ) as readonly [readonly unknown[], number]; // what the line prints
    expect(count).toBeGreaterThan(120);
    expect(refused).toEqual([]);
  });
});
