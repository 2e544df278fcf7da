// What `npm sbom` knows of packages in the lock file, as components of CycloneDX 1.5.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmEnvironment } from '../own-npm.cjs';
import { fail, print, quietly, root } from '../packages.cjs';

/** Folders of bundles, with the texts of the licences of what was bundled. */
export const BUNDLES = ['dist', 'apps/console/dist/site'];

/** The document that npm makes of the lock file. */
export function runNpmSbom() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const env = npmEnvironment({ root, folder: join(root, '.cache', 'tools'), lock, print });
  const options = ['--package-lock-only', '--sbom-format=cyclonedx'];
  const bom = JSON.parse(quietly('npm sbom', 'npm', ['sbom', ...options], { env }));
  if (bom.specVersion !== '1.5') fail(`npm sbom wrote CycloneDX ${bom.specVersion}; 1.5 is expected`);
  return bom;
}

/** The components of `names` (`react@19.3.0`), and who of them depends on whom. Throws if npm does not know one of them. */
export function selectComponents(bom, names) {
  const wanted = new Set(names);
  const components = bom.components.filter((component) => wanted.has(component['bom-ref'])).map(distributed);
  const known = new Set(components.map((component) => component['bom-ref']));
  const missing = [...wanted].filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}`);
  const dependencies = bom.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => known.has(name)) }));
  return { components, dependencies };
}

/** Whether a package is one of development in the lock file says nothing about what is distributed: the console is bundled from such ones. */
function distributed(component) {
  return { ...component, scope: 'required', properties: undefined, externalReferences: undefined };
}
