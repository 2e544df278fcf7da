// Bundles the programs when a compiled file has changed since.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24, quietly, root } from '../packages.cjs';
import { compiledFiles, programs } from './programs.mjs';

const OUT = join(root, 'dist');
const BUNDLED_FROM = join(OUT, '.bundled-from');

/** A program as it runs: `aggregator/backup`. */
export function programFile(name) {
  return join(OUT, `${name}.js`);
}

/**
 * What runs as that program: as long as nothing has been bundled, its compiled file. A system that was started before there
 * were bundles is stopped and looked at so.
 */
export function programThere(name) {
  const compiled = programs(root)[name];
  if (existsSync(programFile(name))) return programFile(name);
  return compiled === undefined ? undefined : join(root, compiled);
}

/** All that is compiled must be of one state of the sources. */
export function ensureBundled() {
  const state = stateOfInputs();
  const areThere = Object.keys(programs(root)).every((name) => existsSync(programFile(name)));
  if (areThere && existsSync(BUNDLED_FROM) && readFileSync(BUNDLED_FROM, 'utf8') === state) return;
  quietly('bundling the programs', node24, [join(root, 'scripts', 'bundle', 'bundle.mjs')]);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(BUNDLED_FROM, state);
}

/** Changes when a compiled file is written, deleted or put back, with the packages, and with the bundler. */
function stateOfInputs() {
  const hash = createHash('sha256');
  for (const file of [...compiledFiles(root), 'package-lock.json', ...globSync('scripts/bundle/*', { cwd: root })]) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
