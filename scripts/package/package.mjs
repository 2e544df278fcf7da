// `npm run package`: builds packages of what is checked out into `out/`, which are installed without npm and without a network: a tarball for any Linux,
// and a Debian package.
//   npm run package -- --arch arm64 --only deb --compression gzip
// `--arch`: amd64 or arm64 (default: this machine), both separated by a comma. `--only`: tarball or deb. `--compression`: xz (default), gzip or none.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { MACHINES, ownMachine } from './machines.mjs';
import { COMPRESSIONS, packFolder, sha256, sourceTime } from './tarball.mjs';
import { ensureBuilt, ensureInstalled, fail, print, root } from '../prepare.mjs';

const KINDS = ['tarball', 'deb'];
const { values } = parseArgs({
  options: {
    arch: { type: 'string' },
    compression: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});
const machines = chosen('arch', values.arch ?? ownMachine() ?? '', Object.keys(MACHINES));
const [compression] = chosen('compression', values.compression ?? 'xz', Object.keys(COMPRESSIONS));
const kinds = chosen('only', values.only ?? KINDS.join(','), KINDS);

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
  const common = { compression, time: sourceTime() };
  try {
    await timed(`the files for ${machine}`, () => makeTree(machine, tree));
    if (kinds.includes('tarball')) {
      const file = join(out, `${name}-linux-${machine}.tar${COMPRESSIONS[compression].end}`);
      await made(file, () => packFolder({ ...common, parent, name, file }));
    }
    if (kinds.includes('deb') && noDeb === undefined) {
      const file = join(out, debFileName(version, machine));
      await made(file, () => packDeb({ ...common, tree, folder: join(parent, 'deb'), version, machine, file }));
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
