// Whether a Docker engine answers, and the images that containers of tests are made from. As a program (the target
// `docker`, which `containers`, `compose` and `images` need first) it gets both where nothing may be left out, and builds the image of the
// services, whose layers the latter two then find.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, print } from '../prepare.mjs';
import { all, runKind, testEnv } from './tally.mjs';

const ci = join(root, 'deploy', 'ci');
/** Where no registry can be reached, stand-ins made from Debian's packages take the places of the public images. */
const standIns = all || process.env.RINGDOWN_STAND_INS === '1';

/** Whether an engine answers; says that something is left out where none does. */
export function dockerAnswers() {
  if (spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0) return true;
  print(
    '\nNo Docker engine answers: the container tests are left out. RINGDOWN_TEST_ALL=1 npm run test:all sets one up.',
  );
  return false;
}

/** Names of the images for tests, as environment variables. */
export function imageSettings() {
  return standIns ? settingsOf(readFileSync(join(ci, 'images.env'), 'utf8')) : {};
}

/** What the scripts that build images are given. */
export function buildSettings() {
  const settings = imageSettings();
  // Packages come from the machine's own registry, found with its own DNS.
  return settings.RINGDOWN_NODE_IMAGE === undefined ? settings : { ...settings, RINGDOWN_BUILD_NETWORK: 'host' };
}

/** What docker-compose.yml is given besides. */
export function composeSettings() {
  return { ...imageSettings(), ...(standIns ? {} : { RINGDOWN_BASE_IMAGES: 'public' }) };
}

/** A settings file of the form NAME=value, as an environment. */
function settingsOf(text) {
  const lines = text.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runKind('docker', (tally) => {
    if (all && !tally.check('Docker engine', join(ci, 'ensure-docker.sh'), [])) return;
    if (!dockerAnswers()) return;
    if (standIns && !tally.check('base images', join(ci, 'make-base-images.sh'), [])) return;
    const env = { ...testEnv, ...buildSettings() };
    const name = env.RINGDOWN_IMAGE ?? 'ringdown-services:local';
    tally.check('the image of the services', join(root, 'deploy/images/build.sh'), [name], { env });
  });
}
