// A list of components as a document of CycloneDX 1.5, which depends on the content and the time of the commit alone.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceTime } from '../package/tarball.mjs';
import { root } from '../packages.cjs';

/** The text of the document about what is distributed under the name and version of the project. */
export function documentOf({ components, dependencies }) {
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const self = { 'bom-ref': `${name}@${version}`, type: 'application', name, version, description };
  const merged = merge(dependencies);
  const direct = topmost(
    components.map((component) => component['bom-ref']),
    merged,
  );
  const time = sourceTime();
  const content = {
    version: 1,
    metadata: {
      // Not known where there is no git, as in an image that Compose builds.
      ...(time > 0 && { timestamp: new Date(time * 1_000).toISOString() }),
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
  for (const { ref, dependsOn } of dependencies) all.set(ref, new Set([...(all.get(ref) ?? []), ...dependsOn]));
  return Array.from(all, ([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] }));
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

/** A program or library that is no package of npm. */
export function program(name, version, { licence, cpe, file, purl, type = 'application' }) {
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
