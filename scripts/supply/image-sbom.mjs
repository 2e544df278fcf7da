// Prints what the image of the services contains (CycloneDX 1.5). Runs while it is built (deploy/images/Dockerfile): the Node is the one of the image.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LICENCES, packagesIn } from '../bundle/licences.mjs';
import { nativePackages, ownMachine } from '../package/machines.mjs';
import { root } from '../packages.cjs';
import { documentOf, program } from './cyclonedx.mjs';
import { BUNDLES, runNpmSbom, selectComponents } from './npm-sbom.mjs';

const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const installed = ['@node-rs/argon2', nativePackages(ownMachine()).argon2];
const bundled = BUNDLES.flatMap((folder) => packagesIn(readFileSync(join(root, folder, LICENCES), 'utf8')));
const names = [
  ...bundled.map(({ name, version }) => `${name}@${version}`),
  ...installed.map((name) => `${name}@${locked[`node_modules/${name}`].version}`),
];
const { components, dependencies } = selectComponents(runNpmSbom(), names);
const node = program('Node.js', process.versions.node, {
  licence: { id: 'MIT' },
  cpe: 'nodejs:node.js',
  file: process.execPath,
});
process.stdout.write(documentOf({ components: [...components, node], dependencies }));
