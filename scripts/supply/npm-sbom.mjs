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

/**
 * The components of `names` (`react@19.3.0`), and who of them depends on whom. npm 10 lists a package once for each folder in which it
 * is installed. Throws if npm does not know one of them.
 */
export function selectComponents(bom, names) {
  const known = new Map(bom.components.map((component) => [component['bom-ref'], component]));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}`);
  const wanted = new Set(names);
  const components = [...wanted].map((name) => distributed(known.get(name)));
  const dependencies = bom.dependencies
    .filter(({ ref }) => wanted.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => wanted.has(name)) }));
  return { components, dependencies };
}

/** Whether a package is one of development in the lock file says nothing about what is distributed: the console is bundled from such ones. */
function distributed(component) {
  return { ...component, scope: 'required', properties: undefined, externalReferences: undefined };
}
