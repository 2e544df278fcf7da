// The folder that a package consists of: it has the places of the checkout.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages.cjs';
import { LICENCES } from '../bundle/licences.mjs';
import { SBOM, billOfMaterials } from '../supply/bill-of-materials.mjs';
import { copyContents } from './contents.mjs';
import { elfFiles } from './elf.mjs';
import { copyPrograms } from './fetch-programs.mjs';
import { packageLicences } from './licences.mjs';
import { MACHINES, nativePackages } from './machines.mjs';

/** Where the command of the package keeps what it is given and what it makes (apps/ringdown/src/commands/installation.ts). */
const TARBALL = {
  kind: 'tarball',
  envFile: '$XDG_CONFIG_HOME/ringdown/ringdown.env',
  dataDir: '$XDG_DATA_HOME/ringdown',
  backups: '$XDG_DATA_HOME/ringdown-backups',
};

/** Makes it anew, for a kind of machine. */
export async function makeTree(machine, tree) {
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  copyContents(root, tree);
  await copyPrograms(machine, tree);
  mkdirSync(join(tree, 'bin'));
  copyFileSync(join(import.meta.dirname, 'ringdown.sh'), join(tree, 'bin', 'ringdown'));
  chmodSync(join(tree, 'bin', 'ringdown'), 0o755);
  writeFileSync(join(tree, 'package.json'), manifest());
  writeFileSync(join(tree, 'install.json'), `${JSON.stringify(TARBALL, undefined, 2)}\n`);
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
