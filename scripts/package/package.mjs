// `npm run package`: builds packages of what is checked out into `out/`, which are installed without npm and without a network: a tarball for any Linux,
// and a Debian package.
//   npm run package -- --arch arm64 --only deb --compression gzip
// `--arch`: amd64 or arm64 (default: this machine), both separated by a comma. `--only`: tarball or deb. `--compression`: xz, gzip or none for both kinds.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { MACHINES, ownMachine } from './machines.mjs';
import { COMPRESSIONS, packFolder, sha256, sourceTime } from './tarball.mjs';
import { ensureBuilt, ensureInstalled, fail, print, root } from '../prepare.mjs';

/** Each kind with its usual compression: dpkg reads xz by itself, and the smallest Debian has gzip but no xz for a tarball. */
const KINDS = { tarball: 'gzip', deb: 'xz' };
const { values } = parseArgs({
  options: {
    arch: { type: 'string' },
    compression: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});
const machines = chosen('arch', values.arch ?? ownMachine() ?? '', Object.keys(MACHINES));
const kinds = chosen('only', values.only ?? Object.keys(KINDS).join(','), Object.keys(KINDS));
const compressions = Object.fromEntries(
  Object.entries(KINDS).map(([kind, usual]) => [
    kind,
    chosen('compression', values.compression ?? usual, Object.keys(COMPRESSIONS))[0],
  ]),
);

ensureInstalled();
ensureBuilt();
// They use what has been built.
const { makeTree, rootManifest } = await import('./tree.mjs');
const { debFileName, packDeb, whyNoDeb } = await import('./deb.mjs');
const { version } = rootManifest();
const out = values.out ?? join(root, 'out');
mkdirSync(out, { recursive: true });
const noDeb = kinds.includes('deb') ? whyNoDeb() : undefined;
if (noDeb !== undefined && values.only !== undefined) fail(noDeb);
if (noDeb !== undefined) print(`No Debian package is made: ${noDeb}`);

const sums = [];
for (const machine of machines) {
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-package-'));
  const name = `ringdown-${version}`;
  const tree = join(parent, name);
  const time = sourceTime();
  try {
    await timed(`the files for ${machine}`, () => makeTree(machine, tree));
    if (kinds.includes('tarball')) {
      const compression = compressions.tarball;
      const file = join(out, `${name}-linux-${machine}.tar${COMPRESSIONS[compression].end}`);
      await made(file, () => packFolder({ compression, time, parent, name, file }));
    }
    if (kinds.includes('deb') && noDeb === undefined) {
      const file = join(out, debFileName(version, machine));
      const how = { compression: compressions.deb, time };
      await made(file, () => packDeb({ ...how, tree, folder: join(parent, 'deb'), version, machine, file }));
    }
  } finally {
    rmSync(parent, { recursive: true });
  }
}
writeFileSync(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`);
print(`Checksums: ${join(out, 'SHA256SUMS')}`);

/** Values of an option, separated by commas. */
function chosen(option, text, known) {
  const names = text.split(',');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`--${option} ${unknown}: choose ${known.join(' or ')}`);
  return names;
}

async function made(file, make) {
  await timed(file, make, () => `: ${(statSync(file).size / 1_000_000).toFixed(1)} MB`);
  sums.push(`${await sha256(file)}  ${basename(file)}`);
}

async function timed(what, work, more = () => '') {
  const began = performance.now();
  await work();
  print(`${what}${more()} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}
