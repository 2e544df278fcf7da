// Finds out which images the names of a release are now, and writes them down with their digests. Needs skopeo (Debian and the runners of GitHub have it).
//   node scripts/images/pin.mjs bases                        NAME=IMAGE@DIGEST of what ours are built on, for GITHUB_OUTPUT
//   node scripts/images/pin.mjs release IMAGES VERSION OUT   for who runs them: OUT/images.env, for Compose; OUT/ringdown-kubernetes-VERSION.tar.gz
// IMAGES: registry and owner (ghcr.io/owner).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packFolder, sourceTime } from '../package/tarball.mjs';
import { fail, print, root } from '../packages.cjs';
import { pinned } from './digest.mjs';
import { baseImages, foreignImages, KUBERNETES, SETTINGS } from './images.mjs';
import { imagesOfManifests, writeManifests } from './kubernetes.mjs';

const [, , command, ...args] = process.argv;
try {
  if (command === 'bases' && args.length === 0) bases();
  else if (command === 'release' && args.length === 3) release(...args);
  else fail('usage: node scripts/images/pin.mjs bases | release IMAGES VERSION OUT');
} catch (error) {
  fail(error.message);
}

function bases() {
  for (const [name, image] of Object.entries(baseImages(root))) process.stdout.write(`${name}=${pinned(image)}\n`);
}

function release(images, version, out) {
  const own = (name) => pinned(`${images}/${name}:${version}`);
  const foreign = foreignImages(root);
  const names = new Set([...Object.values(foreign), ...imagesOfManifests(root)]);
  const pins = new Map(Array.from(names, (image) => [image, pinned(image)]));
  const settings = [
    ...Object.entries(SETTINGS).map(([setting, name]) => `${setting}=${own(name)}`),
    ...Object.entries(foreign).map(([setting, image]) => `${setting}=${pins.get(image)}`),
  ];
  mkdirSync(out, { recursive: true });
  const head = `# Images of Ringdown ${version} and what runs beside it, by their digests: deploy/make-env.sh images images.env`;
  writeFileSync(join(out, 'images.env'), `${[head, ...settings].join('\n')}\n`);
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-manifests-'));
  try {
    const name = 'deploy';
    writeManifests(root, parent, { services: own('ringdown-services'), pins });
    const file = join(out, `${KUBERNETES}-${version}.tar.gz`);
    packFolder({ parent, name, file, compression: 'gzip', time: sourceTime() });
  } finally {
    rmSync(parent, { recursive: true });
  }
  print(`${pins.size + 2} images have their digests in ${out}`);
}
