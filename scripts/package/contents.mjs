// What runs of the checkout: the one list of the files in a package. A package has the folders of the checkout, because bundles name
// files by their way from `dist` (docs/adr/0095).
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files and folders, from the root. Of `dist` only what the last bundle consists of: older chunks stay there for an hour. */
export const CONTENTS = [
  { path: 'apps/aggregator/migrations', what: 'SQL files of the database' },
  { path: 'apps/console/dist/site', what: 'the console' },
  { path: 'apps/demo/sites.json', what: 'sites for the calls of the demo' },
  { path: 'apps/sender/package.json', what: 'the version that a sender reports' },
  { path: 'libs/directory/passwords', what: 'passwords that everybody knows' },
  { path: 'libs/service/package.json', what: 'the version that a service reports' },
  { path: 'docs/guides', what: 'the guides that messages name' },
  { path: 'docs/settings.md', what: 'all settings' },
  { path: 'LICENSE', what: 'the licence' },
];

/** The names of the files of the last bundle, from the root. */
export function bundledFiles(root) {
  const list = join(root, 'dist', '.bundled');
  if (!existsSync(list)) throw new Error('nothing is bundled yet: npm run build');
  const names = JSON.parse(readFileSync(list, 'utf8'));
  return names.map((name) => `dist/${name}`);
}

/** Copies all of it to the same places below another folder. */
export function copyContents(root, target) {
  for (const path of [...CONTENTS.map((row) => row.path), ...bundledFiles(root)]) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path), { recursive: true });
  }
}
