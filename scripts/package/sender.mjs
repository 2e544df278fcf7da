// `npm run package:sender`: the sender as a package of npm in `out/` (`--out FOLDER`), for machines with Node 24: one bundle, without dependencies.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { parseArgs } from 'node:util';
import { LICENCES } from '../bundle/licences.mjs';
import { ensureBuilt, ensureInstalled, print, quietly, root } from '../prepare.mjs';

const PROGRAM = 'dist/sender/main.js';
const COMMAND = 'apps/sender/bin/ringdown-sender.mjs';
/** As bundles name each other. */
const IMPORTED = /(?:from|import|import\()\s*"(\.[^"]+\.js)"/g;

const { values } = parseArgs({ options: { out: { type: 'string' } } });
ensureInstalled();
ensureBuilt();
const { version, license, description, repository } = read('package.json');
const folder = mkdtempSync(join(tmpdir(), 'ringdown-sender-'));
try {
  const files = [...loadedFiles(PROGRAM), COMMAND, 'apps/sender/package.json', 'LICENSE'];
  for (const file of files) copy(file, file);
  copy(join('dist', LICENCES), LICENCES);
  copy('docs/guides/sender.md', 'README.md');
  const manifest = {
    name: 'ringdown-sender',
    version,
    description: `Posts a feed of call records to a collector of Ringdown. ${description}`,
    license,
    repository,
    type: 'module',
    bin: { 'ringdown-sender': COMMAND },
    engines: { node: '>=24' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const out = values.out ?? join(root, 'out');
  mkdirSync(out, { recursive: true });
  const [packed] = JSON.parse(quietly('npm pack', 'npm', ['pack', '--json', '--pack-destination', out, folder]));
  const file = join(out, packed.filename);
  print(`${file}: ${(statSync(file).size / 1_000_000).toFixed(2)} MB, ${packed.entryCount} files`);
} finally {
  rmSync(folder, { recursive: true });
}

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

function copy(from, to) {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  copyFileSync(join(root, from), join(folder, to));
}

/** Files of `dist` that a program loads, itself included. */
function loadedFiles(program, known = new Set()) {
  if (known.has(program)) return known;
  known.add(program);
  for (const [, path] of readFileSync(join(root, program), 'utf8').matchAll(IMPORTED))
    loadedFiles(posix.join(posix.dirname(program), path), known);
  return known;
}
