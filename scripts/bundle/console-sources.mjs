// What the bundle of the console is made of.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages.cjs';

const CONSOLE = 'apps/console';
/** Besides its own files: versions of packages, and what writes their licences. */
const OTHERS = ['package-lock.json', 'scripts/bundle/licences.mjs'];

/** Files and folders, from the root: folders tell of files that are gone. */
export function consoleSources() {
  const own = ['index.html', 'vite.config.mjs', 'public', 'src'].map((name) => join(CONSOLE, name));
  return [...OTHERS, ...own.flatMap((path) => [path, ...filesBelow(path)])];
}

function filesBelow(path) {
  if (!statSync(join(root, path)).isDirectory()) return [];
  return readdirSync(join(root, path), { recursive: true }).map((file) => join(path, file));
}
