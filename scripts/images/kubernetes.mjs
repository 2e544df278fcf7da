// The manifests of deploy/kubernetes with every image by its digest, as they are published.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { git } from '../release/repository.mjs';

/** Of deploy: overlays refer to all of them. */
const FOLDERS = ['deploy/kubernetes', 'deploy/edge', 'deploy/bus'];
const SERVICES = 'ringdown-services';
const LOCAL = `{ name: ${SERVICES}, newName: ${SERVICES}, newTag: local }`;
/** `image: caddy:2.11.4-alpine`, `imageName: …`, and the form of the chart of NATS. */
const NAMED = /\b(image(?:Name)?: )([\w./-]+:[\w.-]+)(?=\s|$)/g;
const OF_CHART = /(\brepository: ([\w./-]+), tag: )([\w.-]+)(?= )/g;

/** Images of others that the manifests name. */
export function imagesOfManifests(root) {
  const found = files(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const named = [...text.matchAll(NAMED)].map(([, , image]) => image);
    return [...named, ...[...text.matchAll(OF_CHART)].map(([, , repository, tag]) => `${repository}:${tag}`)];
  });
  return [...new Set(found)].filter((image) => !image.startsWith(`${SERVICES}:`)).toSorted();
}

/** Writes them below a folder. `services`: our image with its digest; `pins`: each of the others by its name. */
export function writeManifests(root, target, { services, pins }) {
  const pin = (image) => {
    if (image.startsWith(`${SERVICES}:`)) return image;
    const found = pins.get(image);
    if (found === undefined) throw new Error(`${image} has no digest`);
    return found;
  };
  const [, newName, digest] = /^(.*?)(?::[\w.-]+)?@(sha256:[\da-f]{64})$/.exec(services);
  for (const file of files(root)) {
    const to = join(target, file);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(root, file), to);
    if (!file.endsWith('.yaml')) continue;
    const text = readFileSync(to, 'utf8')
      .replaceAll(NAMED, (_, before, image) => `${before}${pin(image)}`)
      .replaceAll(
        OF_CHART,
        (_, before, repository, tag) => `${before}${pin(`${repository}:${tag}`).slice(repository.length + 1)}`,
      )
      .replace(LOCAL, `{ name: ${SERVICES}, newName: ${newName}, digest: ${digest} }`);
    writeFileSync(to, text);
  }
}

/** Of the commit: Secrets that somebody has made there are not ours. */
function files(root) {
  return git(root, 'ls-files', '--', ...FOLDERS)
    .split('\n')
    .filter((file) => file.endsWith('.yaml') || /\/(?:Caddyfile|[\w-]+\.(?:conf|env|sh))$/.test(file));
}
