import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** What scripts/test/packages.mjs has made; for one file alone what `deploy/ci/make-root.sh` and `npm run package` have made before. */
const {
  XDG_CACHE_HOME = join(homedir(), '.cache'),
  RINGDOWN_ROOTS = join(XDG_CACHE_HOME, 'ringdown-roots'),
  RINGDOWN_TEST_PACKAGES = join(import.meta.dirname, '../../../../out'),
} = process.env;

/** Archives of the smallest Debian by their suites. */
export const ROOTS = rootsOf('*.tar').filter(([suite]) => !suite.includes('-'));
/** The same with systemd. */
export const SYSTEMD_ROOTS = rootsOf('*-systemd.tar');

/** The packages that are tried, uncompressed. */
export const TARBALL = given(/^ringdown-.*\.tar$/);
export const DEB = given(/^ringdown_.*\.deb$/);

function given(name: RegExp): string {
  const found = existsSync(RINGDOWN_TEST_PACKAGES)
    ? globSync('*', { cwd: RINGDOWN_TEST_PACKAGES }).find((file) => name.test(file))
    : undefined;
  if (found === undefined || ROOTS.length === 0)
    throw new Error('no package, or no root of Debian, has been made: run "npm run nx -- packages"');
  return join(RINGDOWN_TEST_PACKAGES, found);
}

function rootsOf(pattern: string): readonly (readonly [suite: string, archive: string])[] {
  const { RINGDOWN_TEST_SUITES: suites } = process.env;
  return globSync(pattern, { cwd: RINGDOWN_ROOTS })
    .toSorted()
    .map((name) => [basename(name, '.tar'), join(RINGDOWN_ROOTS, name)] as const)
    .filter(([name]) => suites === undefined || suites.split(',').some((suite) => name.split('-')[0] === suite));
}
