// `npm run sbom`: writes what a package contains (CycloneDX 1.5) to `out/`, as the package itself has it in sbom.cdx.json.
//   npm run sbom -- --arch amd64,arm64
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MACHINES, ownMachine } from '../package/machines.mjs';
import { ensureBuilt, ensureInstalled, fail, print, root } from '../prepare.mjs';

const { values } = parseArgs({ options: { arch: { type: 'string' }, out: { type: 'string' } } });
const machines = (values.arch ?? ownMachine() ?? '').split(',');
const unknown = machines.find((name) => MACHINES[name] === undefined);
if (unknown !== undefined) fail(`--arch ${unknown}: choose ${Object.keys(MACHINES).join(' or ')}`);

ensureInstalled();
ensureBuilt();
// They use what has been built.
const { billOfMaterials } = await import('./bill-of-materials.mjs');
const { rootManifest } = await import('../package/tree.mjs');
const out = values.out ?? join(root, 'out');
mkdirSync(out, { recursive: true });
for (const machine of machines) {
  const file = join(out, `ringdown-${rootManifest().version}-linux-${machine}.cdx.json`);
  writeFileSync(file, await billOfMaterials(machine));
  print(file);
}
