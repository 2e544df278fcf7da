import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const SOURCES = new URL('../../src/', import.meta.url).pathname;

/** Folders of `src`, and its files, from the ground up: each imports those that stand before it, and none after it. */
const FLOORS = [
  'settings.ts',
  'context.module.ts',
  'http',
  'sessions',
  'events',
  'presence-store',
  'communication',
  'presence',
  'contact-lists',
  'subscriptions',
  'calls',
  'messaging',
  'online-meetings',
  'search',
  'people',
  'contacts',
  'applications',
  'batch',
  'application-people.module.ts',
  'service.ts',
  'index.ts',
  'main.ts',
];

function floorOf(file: string): number {
  const [first = ''] = file.split('/');
  const floor = FLOORS.indexOf(first);
  if (floor < 0) throw new Error(`${first} is not in the list of floors`);
  return floor;
}

/** Imports of a file from a higher floor than its own. */
function importsFromAbove(file: string, source: string): string[] {
  const imports = Array.from(source.matchAll(/(?:from|import\() ?'(\.[^']*)\.js'/g), ([, path]) =>
    normalize(join(dirname(file), `${path}.ts`)),
  );
  return imports.filter((imported) => floorOf(imported) > floorOf(file)).map((imported) => `${file} -> ${imported}`);
}

describe('the folders of the service', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES, exclude: (name) => name.endsWith('.spec.ts') });

  it('import only from folders below them', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => importsFromAbove(file, readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
  });

  it('are all on a floor, and each floor is there', () => {
    expect(new Set(files.map((file) => FLOORS[floorOf(file)]))).toEqual(new Set(FLOORS));
  });

  it('are seen to import from above where they do', () => {
    const source = "import type { Messaging } from '../messaging/messaging.js';\nimport { a } from './a.js';\n";
    expect(importsFromAbove('presence/presences.ts', source)).toEqual([
      'presence/presences.ts -> messaging/messaging.ts',
    ]);
    expect(importsFromAbove('contacts/contacts.ts', source)).toEqual([]);
  });
});
