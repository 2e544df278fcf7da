import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/**
 * The imports between folders of `src`, each with one import as an example; a file of `src` itself counts as a folder.
 */
type Arrows = ReadonlyMap<string, ReadonlyMap<string, string>>;

function importsOf(source: string): readonly string[] {
  return [...source.matchAll(/(?:from|import\(|import)\s*'([^']+)'/g)].map(([, name = '']) => name);
}

/** The files of the same workspace that a file imports. */
function ownImports(file: string, source: string): readonly string[] {
  const paths = importsOf(source).filter((name) => name.startsWith('.'));
  return paths.map((path) => normalize(join(dirname(file), path.replace(/\.js$/, '.ts'))));
}

/** The files themselves, and all that they import directly or through others. */
function reachedFrom(start: readonly string[], sources: ReadonlyMap<string, string>): readonly string[] {
  const reached = new Set(start);
  // A set also yields what is added to it meanwhile.
  for (const file of reached) {
    for (const imported of ownImports(file, sources.get(file) ?? '')) reached.add(imported);
  }
  return [...reached];
}

function arrowsOf(sources: ReadonlyMap<string, string>): Arrows {
  const arrows = new Map<string, Map<string, string>>();
  for (const [file, source] of sources) {
    for (const imported of ownImports(file, source)) {
      const [from, to] = [folderOf(file), folderOf(imported)];
      if (from === to || to === '..') continue;
      const others = arrows.get(from) ?? new Map<string, string>();
      arrows.set(from, others.set(to, others.get(to) ?? `${file} -> ${imported}`));
    }
  }
  return arrows;
}

/** Folders of rooms: each of their folders counts. */
const OF_ROOMS = new Set(['search', 'store']);

function folderOf(file: string): string {
  const [folder = file, room = '', ...deeper] = file.split('/');
  return OF_ROOMS.has(folder) && deeper.length > 0 ? `${folder}/${room}` : folder;
}

/**
 * Folders from the bottom up: each imports only folders before it. Folders that import each other in a circle have no
 * floor; their imports are the second result.
 */
function floorsOf(arrows: Arrows): { readonly floors: readonly string[]; readonly circular: readonly string[] } {
  const floors = new Set<string>();
  const rest = new Set([...arrows].flatMap(([from, others]) => [from, ...others.keys()]));
  for (let before = -1; before !== floors.size;) {
    before = floors.size;
    for (const folder of rest) {
      if ([...(arrows.get(folder)?.keys() ?? [])].every((other) => floors.has(other))) floors.add(folder);
    }
    for (const folder of floors) rest.delete(folder);
  }
  const circular = [...rest].flatMap((folder) =>
    [...(arrows.get(folder) ?? [])].filter(([other]) => rest.has(other)).map(([, example]) => example),
  );
  return { floors: [...floors], circular };
}

function sourcesOf(workspace: string): ReadonlyMap<string, string> {
  const cwd = join(ROOT, workspace, 'src');
  const files = globSync('**/*.{ts,tsx}', { cwd, exclude: (name) => name.endsWith('.spec.ts') });
  return new Map(files.map((file) => [file, readFileSync(join(cwd, file), 'utf8')]));
}

const WORKSPACES = [
  'apps/aggregator',
  'apps/application-people',
  'apps/collector',
  'apps/console',
  'apps/demo',
  'apps/discovery-auth',
  'apps/ringdown',
  'apps/sender',
  'apps/subscribers',
  'libs/call-capture',
  'libs/directory',
];

/** What serves requests or reads them. */
const OF_HTTP = /^(?:@ringdown\/(?:web-|node-http|token-validation)|@nestjs\/|@fastify\/|fastify$|class-)/;

/** From the bottom up. */
const PEOPLE_FLOORS = [
  'http',
  'stored-entries',
  'sessions',
  'events',
  'presence-store',
  'personal-settings',
  'communication',
  'readable-contacts',
  'presence',
  'privacy',
  'contact-lists',
  'subscriptions',
  'calls',
  'online-meetings',
  'messaging',
  'search',
  'people',
  'contacts',
  'former-names',
  'applications',
  'batch',
];

describe('the folders of a workspace', () => {
  it.each(WORKSPACES)('import each other in one direction only in %s', (workspace) => {
    const sources = sourcesOf(workspace);
    expect(sources.size).toBeGreaterThan(10);
    expect(floorsOf(arrowsOf(sources)).circular).toEqual([]);
  });

  it('import only lower ones in apps/application-people, from sessions on the ground to applications on top', () => {
    const sources = sourcesOf('apps/application-people');
    const folders = new Set([...sources.keys()].filter((file) => file.includes('/')).map((file) => folderOf(file)));
    expect(folders).toEqual(new Set(PEOPLE_FLOORS));
    const arrows = arrowsOf(sources);
    const upward = PEOPLE_FLOORS.flatMap((folder, floor) =>
      PEOPLE_FLOORS.slice(floor + 1).flatMap((higher) => arrows.get(folder)?.get(higher) ?? []),
    );
    expect(upward).toEqual([]);
  });

  it('that decide alerts reach nothing of HTTP in apps/aggregator, nor through the folders below', () => {
    const sources = sourcesOf('apps/aggregator');
    const start = [...sources.keys()].filter((file) => file.startsWith('alerts/'));
    expect(start).toContain('alerts/deciding/alert-decider.ts');
    const reached = reachedFrom(start, sources);
    expect(reached).toContain('store/database/database.ts');
    const ofHttp = reached.flatMap((file) =>
      importsOf(sources.get(file) ?? '').flatMap((name) => (OF_HTTP.test(name) ? [`${file}: ${name}`] : [])),
    );
    expect([...ofHttp, ...reached.filter((file) => file.startsWith('http/'))]).toEqual([]);
  });

  it('are reported as circular when they import each other', () => {
    const sources = new Map([
      ['a/one.ts', "import type { Two } from '../b/two.js';\nimport { own } from './own.js';"],
      ['b/two.ts', "export { three } from '../c/three.js';"],
      ['c/three.ts', "const { one } = await import('../a/one.js');\nimport { ground } from '../ground.js';"],
      ['main.ts', "import {\n  one,\n} from './a/one.js';"],
    ]);
    expect(floorsOf(arrowsOf(sources))).toEqual({
      floors: ['ground.ts'],
      circular: ['a/one.ts -> b/two.ts', 'b/two.ts -> c/three.ts', 'c/three.ts -> a/one.ts', 'main.ts -> a/one.ts'],
    });
    sources.delete('c/three.ts');
    expect(floorsOf(arrowsOf(sources))).toEqual({ floors: ['c', 'b', 'a', 'main.ts'], circular: [] });
  });
});
