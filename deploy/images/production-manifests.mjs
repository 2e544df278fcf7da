// Usage: node production-manifests.mjs SERVICE... > list
// In a folder with all manifests: keeps the services and the libraries they need, and removes development dependencies and
// programs for one system (an image has its own Node), and packages that are in the bundles (scripts/bundle), so that npm installs only the others
// from the same lock file. Prints the remaining folders.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isExternal } from '../../scripts/bundle/external.mjs';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const folders = new Map(globSync('{apps,libs,tests}/*/package.json').map((file) => [read(file).name, dirname(file)]));

const isOwn = (name) => folders.has(name);

const needed = new Set();
const need = (name) => {
  const folder = folders.get(name);
  if (folder === undefined || needed.has(folder)) return;
  needed.add(folder);
  for (const dependency of Object.keys(read(`${folder}/package.json`).dependencies ?? {})) need(dependency);
};
for (const service of process.argv.slice(2)) {
  if (!folders.has(`@ringdown/${service}`)) throw new Error(`there is no service ${service}`);
  need(`@ringdown/${service}`);
}

for (const folder of folders.values()) {
  if (!needed.has(folder)) rmSync(folder, { recursive: true });
}
for (const file of ['package.json', ...[...needed].map((folder) => `${folder}/package.json`)]) {
  const { devDependencies: _, optionalDependencies: __, scripts: ___, allowScripts: ____, ...manifest } = read(file);
  const dependencies = Object.entries(manifest.dependencies ?? {}).filter(([name]) => isOwn(name) || isExternal(name));
  writeFileSync(file, `${JSON.stringify({ ...manifest, dependencies: Object.fromEntries(dependencies) }, null, 2)}\n`);
}
process.stdout.write(`${[...needed].join('\n')}\n`);
