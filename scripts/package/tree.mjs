// The folder that a package consists of: it has the places of the checkout.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages.cjs';
import { manualPage } from '../../apps/ringdown/dist/src/commands/help.js';
import { LICENCES } from '../bundle/licences.mjs';
import { SBOM, billOfMaterials } from '../supply/bill-of-materials.mjs';
import { copyContents } from './contents.mjs';
import { elfFiles } from './elf.mjs';
import { copyPrograms } from './fetch-programs.mjs';
import { packageLicences } from './licences.mjs';
import { MACHINES, nativePackages } from './machines.mjs';

/** Where the command of each kind of package keeps what it is given and what it makes (apps/ringdown/src/commands/installation.ts). */
const INSTALLATIONS = {
  tarball: {
    envFile: '$XDG_CONFIG_HOME/ringdown/ringdown.env',
    dataDir: '$XDG_DATA_HOME/ringdown',
    backups: '$XDG_DATA_HOME/ringdown-backups',
  },
  // The folders of deploy/debian/ringdown.tmpfiles.
  deb: {
    envFile: '/etc/ringdown/ringdown.env',
    dataDir: '/var/lib/ringdown',
    backups: '/var/backups/ringdown',
    cache: '/var/cache/ringdown',
  },
};

/** Says in a folder which kind of package it is of. */
export function writeInstallation(tree, kind) {
  writeFileSync(join(tree, 'install.json'), `${JSON.stringify({ kind, ...INSTALLATIONS[kind] }, undefined, 2)}\n`);
}

/** Makes it anew, for a kind of machine, as it is in a tarball. */
export async function makeTree(machine, tree) {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  copyContents(root, tree);
  await copyPrograms(machine, tree);
  mkdirSync(join(tree, 'bin'));
  copyFileSync(join(import.meta.dirname, 'ringdown.sh'), join(tree, 'bin', 'ringdown'));
  chmodSync(join(tree, 'bin', 'ringdown'), 0o755);
  mkdirSync(join(tree, 'share/man/man1'), { recursive: true });
  writeFileSync(join(tree, 'share/man/man1/ringdown.1'), manualPage(rootManifest().version));
  writeFileSync(join(tree, 'package.json'), manifest());
  writeInstallation(tree, 'tarball');
  writeFileSync(join(tree, LICENCES), packageLicences(root, tree, nativePackages(machine)));
  writeFileSync(join(tree, SBOM), await billOfMaterials(machine));
  const foreign = elfFiles(tree).filter((file) => file.machine !== MACHINES[machine].elf);
  if (foreign.length > 0) throw new Error(`not for ${machine}: ${foreign.map(({ name }) => name).join(', ')}`);
}

/** What programs and people read of the one of the checkout. */
function manifest() {
  const { name, version, description, license, type, ringdown } = rootManifest();
  return `${JSON.stringify({ name, version, description, license, private: true, type, ringdown }, undefined, 2)}\n`;
}

export function rootManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}
