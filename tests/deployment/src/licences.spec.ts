import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fromScript, script } from './scripts.js';

const ROOT = join(import.meta.dirname, '../../../..');
const LICENCES = 'THIRD-PARTY-LICENSES.txt';
/** One for each kind of text: a file of its own, two files, a section of the README, a name alone. */
const TEXTS: readonly string[] = [
  'Copyright (c) 2016-present The Fastify team',
  'Apache License',
  'Copyright (c) 2013-2016 Hannes Hörl',
];

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** `name version` of each package of which the maps of the bundles name a source. */
function bundledPackages(): string[] {
  const names = new Set<string>();
  for (const map of globSync('dist/*/*.map', { cwd: ROOT })) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the format of source maps
    const { sources } = JSON.parse(read(map)) as { sources: string[] };
    for (const source of sources) {
      const path = resolve(ROOT, dirname(map), source).split('/node_modules/');
      const [first = '', second = ''] = path.length > 1 ? (path.pop() ?? '').split('/') : [];
      if (first === '') continue;
      const folder = join(path.join('/node_modules/'), 'node_modules', first, first.startsWith('@') ? second : '');
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every package has both
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
        string,
        string
      >;
      names.add(`${name} ${version} (`);
    }
  }
  return [...names];
}

describe('the licences of packages of others', () => {
  it('are beside the bundled programs, each with its text', () => {
    const licences = read(`dist/${LICENCES}`);
    const packages = bundledPackages();
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter((title) => !licences.includes(`\n${title}`))).toEqual([]);
    expect(TEXTS.filter((text) => !licences.includes(text))).toEqual([]);
    expect(licences).not.toContain('no text of its own');
  });

  it('are in the site of the console', () => {
    const licences = read(`apps/console/dist/site/${LICENCES}`);
    for (const name of ['react', 'react-dom', 'react-aria-components', '@tanstack/react-query']) {
      expect(licences).toContain(`\n${name} `);
    }
    expect(licences).toContain('Copyright (c) Meta Platforms, Inc.');
  });

  it('are made again with the console when what writes them has changed', () => {
    const imported = read('apps/console/vite.config.mjs').matchAll(/ from '\.\.\/\.\.\/([^']+)'/g);
    const scripts = Array.from(imported, ([, path = '']) => path);
    expect(scripts).toEqual(['scripts/bundle/licences.mjs']);
    const sources = fromScript(`import { consoleSources } from '${script('bundle/console-sources.mjs')}';
      console.log(JSON.stringify(consoleSources()))`);
    expect(sources).toEqual(expect.arrayContaining(scripts));
    const { targetDefaults }: { targetDefaults: { build: { inputs: readonly string[] } } } = JSON.parse(
      read('nx.json'),
    );
    expect(targetDefaults.build.inputs).toEqual(
      expect.arrayContaining(scripts.map((script) => `{workspaceRoot}/${script}`)),
    );
  });

  it('are in the image, with that of Ringdown', () => {
    expect(existsSync(join(ROOT, 'LICENSE'))).toBe(true);
    expect(read('.dockerignore').split('\n')).toContain('!LICENSE');
    expect(read('deploy/images/Dockerfile')).toContain('\n  && cp -r dist LICENSE /compiled \\\n');
  });
});
