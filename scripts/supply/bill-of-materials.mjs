// What a package for a machine contains, in CycloneDX 1.5: the packages of npm in its bundles and in the console, and the programs beside them.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LICENCES, packagesIn } from '../bundle/licences.mjs';
import { fetchPrograms, isPacked, natsVersion } from '../package/fetch-programs.mjs';
import { POSTGRES_PARTS } from '../package/postgres-parts.mjs';
import { sourceTime } from '../package/tarball.mjs';
import { root } from '../packages.cjs';
import { runNpmSbom, selectComponents } from './npm-sbom.mjs';

export const SBOM = 'sbom.cdx.json';
/** With the texts of the licences of what was bundled. */
const BUNDLES = ['dist', 'apps/console/dist/site'];

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

function program(name, version, { licence, cpe, file, purl, type = 'application' }) {
  const digest = file && createHash('sha256').update(readFileSync(file)).digest('hex');
  return {
    'bom-ref': `${name} ${version}`,
    type,
    name,
    version,
    ...(digest && { hashes: [{ alg: 'SHA-256', content: digest }] }),
    licenses: [{ license: licence }],
    cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
    ...(purl && { purl }),
  };
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

function documentOf({ components, dependencies }) {
  const { name, version, description, license } = manifest(root);
  const self = { 'bom-ref': `${name}@${version}`, type: 'application', name, version, description };
  const merged = merge(dependencies);
  const direct = topmost(
    components.map((component) => component['bom-ref']),
    merged,
  );
  const content = {
    version: 1,
    metadata: {
      timestamp: new Date(sourceTime() * 1_000).toISOString(),
      // Without its version: another npm makes the same of the same lock file.
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: { ...self, licenses: [{ license: { id: license } }] },
    },
    components,
    dependencies: [{ ref: self['bom-ref'], dependsOn: direct }, ...merged],
  };
  const head = { bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: serialNumber(content) };
  return `${JSON.stringify({ $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json', ...head, ...content }, undefined, 2)}\n`;
}

/** Those that no other one needs, and of each circle (pg and pg-pool) the first, so that the whole leads to all. */
function topmost(refs, dependencies) {
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const below = new Set([...needs.values()].flat());
  const reached = new Set();
  const reach = (ref) => {
    if (reached.has(ref)) return false;
    reached.add(ref);
    for (const next of needs.get(ref) ?? []) reach(next);
    return true;
  };
  const direct = refs.filter((ref) => !below.has(ref));
  for (const ref of direct) reach(ref);
  return [...direct, ...refs.filter((ref) => reach(ref))];
}

/** One entry for each component, also of those that npm knows to depend on nothing. */
function merge(dependencies) {
  const all = new Map();
  for (const { ref, dependsOn } of dependencies) all.set(ref, [...(all.get(ref) ?? []), ...dependsOn]);
  return Array.from(all, ([ref, dependsOn]) => ({ ref, dependsOn }));
}

/** Random by rule; here of the content, as a version 8 of RFC 9562 allows. */
function serialNumber(content) {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
