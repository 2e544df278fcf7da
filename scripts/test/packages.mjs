// `npm run nx -- packages`: the packages of this checkout, installed and started in the smallest Debian 12 without a network (tests/packages). With
// `--long` also in Debian 13, and under systemd (`npm run test:packages`). Needs root, debootstrap, Chromium, and a mirror of Debian for what is not cached.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node24, print, root } from '../prepare.mjs';
import { ensureChromium, isDebootstrapThere } from '../test-servers.mjs';
import { runJest } from './jest-run.mjs';
import { runKind } from './tally.mjs';

const isLong = process.argv.includes('--long');
const suites = isLong ? ['bookworm', 'trixie'] : ['bookworm'];
const roots = suites.flatMap((suite) => [[suite], ...(isLong ? [[suite, 'systemd']] : [])]);

ensureInstalled();
ensureBuilt();

await runKind('packages', async (tally, folder) => {
  const reason = whyLeftOut();
  if (reason !== undefined) {
    print(`\nThe tests of packages are left out: ${reason}.`);
    return;
  }
  ensureChromium();
  const makeRoot = join(root, 'deploy/ci/make-root.sh');
  if (!roots.every((args) => tally.check(`a root of ${args.join(' with ')}`, makeRoot, args))) return;
  const args = ['scripts/package/package.mjs', '--compression', 'none', '--out', folder];
  if (!tally.check('packages of this checkout', node24, args)) return;
  await runJest(tally, {
    name: 'packages in roots of Debian',
    pattern: `tests/packages/dist/test/${isLong ? '(long/)?' : ''}[^/]+$`,
    folder,
    // Each test makes machines of its own.
    workers: 2,
    env: { RINGDOWN_TEST_SUITES: suites.join(','), RINGDOWN_TEST_PACKAGES: folder },
  });
});

/** The end of a sentence; undefined where they run. */
function whyLeftOut() {
  if (process.getuid?.() !== 0) return 'they make machines of their own, which only root may';
  // In a container without rights.
  if (spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true']).status !== 0)
    return 'this machine does not allow namespaces (CAP_SYS_ADMIN)';
  if (!existsSync('/usr/bin/dpkg-deb') || !isDebootstrapThere())
    return 'debootstrap is missing (Debian: apt-get install debootstrap)';
  return undefined;
}
