// The images of a release, and those of others that they are built on or run beside. As a program it prints a line for each of ours, for
// deploy/images/publish.sh: name, recipe, target, context.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVICES_RECIPE = 'deploy/images/Dockerfile';
export const SERVICES = ['discovery-auth', 'application-people', 'collector', 'aggregator', 'subscribers', 'sender'];

/** The context of the first one is a folder with its tarball. */
export const IMAGES = [
  { name: 'ringdown', recipe: 'deploy/images/ringdown.Dockerfile', target: '', context: 'tarball' },
  { name: 'ringdown-services', recipe: SERVICES_RECIPE, target: 'services', context: '.' },
  ...SERVICES.map((target) => ({ name: `ringdown-${target}`, recipe: SERVICES_RECIPE, target, context: '.' })),
  { name: 'ringdown-patroni', recipe: 'deploy/cluster/postgres.Dockerfile', target: '', context: 'deploy/cluster' },
];
/** The manifests of Kubernetes, an artefact in the same registry. */
export const KUBERNETES = 'ringdown-kubernetes';
/** What Compose is told to run, by the settings that name it. */
export const SETTINGS = { RINGDOWN_IMAGE: 'ringdown-services', RINGDOWN_PATRONI_IMAGE: 'ringdown-patroni' };
const COMPOSE_FILES = ['docker-compose.yml', 'deploy/cluster.yml', 'deploy/monitoring.yml'];

/** What ours are built on: `{ NODE_IMAGE: 'node:24.19.0-bookworm-slim' }`. */
export function baseImages(root) {
  const recipes = [...new Set(IMAGES.map(({ recipe }) => recipe))];
  return namesIn(root, recipes, /^ARG (\w+_IMAGE)=(\S+)$/gm);
}

/** Those of others in the files of Compose, by the settings that replace them. */
export function foreignImages(root) {
  const all = namesIn(root, COMPOSE_FILES, /\$\{(RINGDOWN_[A-Z]+_IMAGE):-([^{}$]+)\}/g);
  // Only what we build needs it.
  const left = Object.entries(all).filter(([name]) => !(name in SETTINGS) && name !== 'RINGDOWN_NODE_IMAGE');
  return Object.fromEntries(left);
}

/** Throws when two files name another image for one setting. */
function namesIn(root, files, pattern) {
  const found = {};
  for (const file of files) {
    for (const [, name, image] of readFileSync(join(root, file), 'utf8').matchAll(pattern)) {
      if (found[name] !== undefined && found[name] !== image)
        throw new Error(`${name} is ${image} in ${file}, and ${found[name]} before`);
      found[name] = image;
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  // A space between two tabs: a shell takes tabs beside each other for one.
  for (const { name, recipe, target, context } of IMAGES)
    process.stdout.write(`${name} ${recipe} ${target || '-'} ${context}\n`);
