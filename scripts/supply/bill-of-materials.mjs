// What a package for a machine contains, in CycloneDX 1.5: the packages of npm in its bundles and in the console, and the programs beside them.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LICENCES, packagesIn } from '../bundle/licences.mjs';
import { fetchPrograms, isPacked, natsVersion } from '../package/fetch-programs.mjs';
import { POSTGRES_PARTS } from '../package/postgres-parts.mjs';
import { root } from '../packages.cjs';
import { documentOf, program } from './cyclonedx.mjs';
import { BUNDLES, runNpmSbom, selectComponents } from './npm-sbom.mjs';

export const SBOM = 'sbom.cdx.json';

/** The text of the document. The same commit makes the same text. `programs`: where they are, for the tests. */
export async function billOfMaterials(machine, programs) {
  return describe(machine, programs ?? (await fetchPrograms(machine)));
}

function describe(machine, programs) {
  const natives = ['@node-rs/argon2', ...Object.values(programs.names)].map((name) => withVersion(programs, name));
  const bundled = BUNDLES.flatMap((folder) => packagesIn(readFileSync(join(root, folder, LICENCES), 'utf8')));
  const names = [...bundled.map(({ name, version }) => `${name}@${version}`), ...natives];
  const parts = partsOfPrograms(machine, programs);
  const fromNpm = selectComponents(runNpmSbom(), names);
  return documentOf({
    components: [...fromNpm.components, ...parts.components],
    dependencies: [...fromNpm.dependencies, ...parts.dependencies],
  });
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function withVersion({ packages }, name) {
  // This one has no programs, and is the same for all machines.
  const folder = join(name === '@node-rs/argon2' ? join(root, 'node_modules') : packages, name);
  return `${name}@${manifest(folder).version}`;
}

/** Node, nats-server, and what the package with PostgreSQL has inside, as packages of npm do not say it. */
export function partsOfPrograms(machine, { names, packages, servers }) {
  const postgres = `${names.postgres}@${manifest(join(packages, names.postgres)).version}`;
  const node = manifest(join(packages, names.node)).version;
  const nats = natsVersion(servers);
  const inside = POSTGRES_PARTS.map((part) => postgresPart(part, join(packages, names.postgres)));
  const components = [
    program('Node.js', node, {
      licence: { id: 'MIT' },
      cpe: 'nodejs:node.js',
      file: join(packages, names.node, 'bin', 'node'),
    }),
    program('nats-server', nats.replace(/-[^-]*$/, ''), {
      licence: { id: 'Apache-2.0' },
      cpe: 'linuxfoundation:nats-server',
      file: join(servers, 'nats-server'),
      purl: `pkg:deb/debian/nats-server@${nats}?arch=${machine}&distro=trixie`,
    }),
    ...inside,
  ];
  const dependencies = [
    { ref: `${names.node}@${node}`, dependsOn: [components[0]['bom-ref']] },
    { ref: postgres, dependsOn: inside.map((component) => component['bom-ref']) },
  ];
  return { components, dependencies };
}

function postgresPart({ name, files, version, licence, cpe }, folder) {
  const paths = globSync('native/**/*', { cwd: folder })
    .map((path) => `/${path}`)
    .toSorted()
    .filter((path) => files.test(path) && isPacked(path) && statSync(join(folder, path)).isFile());
  for (const path of paths) {
    const found = version(`${path}\n${readFileSync(join(folder, path), 'latin1')}`);
    const type = name === 'PostgreSQL' ? 'application' : 'library';
    if (found !== undefined) return program(name, found, { licence, cpe, type });
  }
  throw new Error(`no file of ${folder} tells the version of ${name}`);
}
