// `npm run nx -- images`: the images of this checkout, built and started as they are meant to be run (tests/packages/test/images).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '../images/images.mjs';
import { ensureBuilt, ensureInstalled, print, root } from '../prepare.mjs';
import { isRegistryThere } from '../test-servers.mjs';
import { buildSettings, dockerAnswers, imageSettings } from './docker.mjs';
import { runJest } from './jest-run.mjs';
import { runKind, testEnv } from './tally.mjs';

const PREFIX = 'ringdown-test';

ensureInstalled();
ensureBuilt();

await runKind('images', async (tally, folder) => {
  if (!dockerAnswers()) return;
  const env = { ...testEnv, ...buildSettings() };
  const build = (script, name, ...options) =>
    tally.check(`the image ${name}`, join(root, 'deploy/images', script), [`${PREFIX}/${name}:local`, ...options], {
      env,
    });
  const isBuilt =
    build('build-ringdown.sh', 'ringdown') &&
    build('build.sh', 'ringdown-services') &&
    SERVICES.every((service) => build('build.sh', `ringdown-${service}`, '--target', service));
  const registry = isRegistryThere();
  if (!registry)
    print('\nThe tests with a registry are left out: docker-registry and skopeo are missing (packages of Debian).');
  if (isBuilt && registry) await debianTools();
  if (isBuilt)
    await runJest(tally, {
      name: 'images',
      pattern: `tests/packages/dist/test/images/${registry ? '' : '(?!registry)'}`,
      folder,
      workers: 1,
      apart: true,
      env: { ...imageSettings(), RINGDOWN_TEST_IMAGES: PREFIX },
    });
  removeImages();
});

/** Of Debian 13, in .cache of the checkout, as kubectl is. */
async function debianTools() {
  const { installDebianProgram } = await import('../../libs/embedded/dist/src/index.js');
  const wanted = {
    oras: 'usr/bin/oras',
    'docker-buildx': 'usr/libexec/docker/cli-plugins/docker-buildx',
  };
  for (const [name, path] of Object.entries(wanted)) {
    const folder = join(root, '.cache', name);
    if (existsSync(join(folder, name))) continue;
    const program = { package: name, path, version: ['version'] };
    await installDebianProgram(program, folder);
  }
}

/** By their names: an image may also have one of Compose, which must stay. The layers stay for the next run. */
function removeImages() {
  const args = ['image', 'ls', '--format={{.Repository}}:{{.Tag}}', `--filter=reference=${PREFIX}/*`];
  const left = spawnSync('docker', args, { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((name) => name !== '');
  if (left.length > 0) spawnSync('docker', ['image', 'rm', ...left], { stdio: ['ignore', 'ignore', 2] });
}
