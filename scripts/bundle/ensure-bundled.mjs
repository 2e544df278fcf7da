// Bundles the programs when a compiled file has changed since.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24, quietly, root } from '../packages.cjs';
import { compiledFiles } from './programs.mjs';

const OUT = join(root, 'dist');
const BUNDLED_FROM = join(OUT, '.bundled-from');

/** A program as it runs: `aggregator/backup`. */
export function programFile(name) {
  return join(OUT, `${name}.js`);
}

export function ensureBundled() {
  const state = stateOfInputs();
  if (existsSync(BUNDLED_FROM) && readFileSync(BUNDLED_FROM, 'utf8') === state) return;
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
