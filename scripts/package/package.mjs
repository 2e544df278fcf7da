// `npm run package`: builds packages of what is checked out into `out/`, which are installed without npm and without a network.
//   npm run package -- --arch arm64 --compression gzip
// `--arch`: amd64 or arm64 (default: this machine), both separated by a comma. `--compression`: xz (default), gzip or none.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MACHINES, ownMachine } from './machines.mjs';
import { COMPRESSIONS, packFolder, sha256, sourceTime } from './tarball.mjs';
import { ensureBuilt, ensureInstalled, fail, print, root } from '../prepare.mjs';

const { values } = parseArgs({
  options: { arch: { type: 'string' }, compression: { type: 'string' }, out: { type: 'string' } },
});
const machines = (values.arch ?? ownMachine() ?? '').split(',');
const compression = values.compression ?? 'xz';
const unknown = machines.find((name) => MACHINES[name] === undefined);
if (unknown !== undefined) fail(`--arch ${unknown}: choose ${Object.keys(MACHINES).join(' or ')}`);
if (COMPRESSIONS[compression] === undefined)
  fail(`--compression ${compression}: choose ${Object.keys(COMPRESSIONS).join(', ')}`);

ensureInstalled();
ensureBuilt();
// They use what has been built.
const { makeTree, rootManifest } = await import('./tree.mjs');
const { version } = rootManifest();
const out = values.out ?? join(root, 'out');
mkdirSync(out, { recursive: true });

const sums = [];
for (const machine of machines) {
  const began = performance.now();
  const name = `ringdown-${version}-linux-${machine}.tar${COMPRESSIONS[compression].end}`;
  const folder = `ringdown-${version}`;
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-package-'));
  const file = join(out, name);
  try {
    await makeTree(machine, join(parent, folder));
    packFolder({ parent, name: folder, file, compression, time: sourceTime() });
  } finally {
    rmSync(parent, { recursive: true });
  }
  sums.push(`${await sha256(file)}  ${name}`);
  const megabytes = (statSync(file).size / 1_000_000).toFixed(1);
  print(`${file}: ${megabytes} MB in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}
writeFileSync(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`);
print(`Checksums: ${join(out, 'SHA256SUMS')}`);
