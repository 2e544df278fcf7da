// The programs of the product: each `main.ts` and `…-main.ts` of an app or library is one. The compiled file
// `apps/aggregator/dist/src/backup/main.js` runs as `dist/aggregator/backup.js` (docs/adr/0088).
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** Those of the console run in a browser, those of `testing` only in tests. */
const WITHOUT = ['apps/console', 'libs/testing'];

/** Compiled files of the product, from the root. What was compiled of a source that is gone is none. */
export function compiledFiles(root) {
  return globSync('{apps,libs}/*/dist/src/**/*.js', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.spec.js') && !WITHOUT.some((folder) => file.startsWith(`${folder}/`)))
    .filter((file) => existsSync(join(root, file.replace('/dist/', '/').replace(/js$/, 'ts'))))
    .toSorted();
}

export function isProgram(file) {
  return /(^|\/|-)main\.js$/.test(file);
}

/** `aggregator/backup` for `apps/aggregator/dist/src/backup/main.js`; `aggregator/main` for its service. */
export function programName(file) {
  const [, folder, , , ...rest] = file.split('/');
  return `${folder}/${rest.join('-').replace(/-?main\.js$/, '') || 'main'}`;
}

/** Name and compiled file, from the root, of each program. */
export function programs(root) {
  const files = compiledFiles(root).filter((file) => isProgram(file));
  return Object.fromEntries(files.map((file) => [programName(file), file]));
}
