// What must be true before a version is released, one row each: `check` returns what is wrong, `remedy` is what to do about it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFileProblems } from '../manifests/lock-file.mjs';
import { licenceProblems } from '../supply/licences.mjs';
import { supplyChainPage } from '../supply/supply-chain-page.mjs';
import { changedPart, changesOf } from './changelog.mjs';
import { changedSince, git, placesWith } from './repository.mjs';
import { testedCommit } from './tested.mjs';
import { unreleasedNotes } from './upgrade-notes.mjs';
import { writtenVersions } from './version-files.mjs';
import { compareVersions, isStable, nextVersion, parseVersion } from './versions.mjs';

const MIGRATIONS = 'apps/aggregator/migrations';
/** In files of the repository where its owner must write something before the first release. */
export const FILL_IN = 'FILL_IN';
export const WITH_PLACES = ['.env.example', '.github', 'renovate.json', 'SECURITY.md', 'deploy/debian/control.in'];

/** `root`: the checkout; `version`: what is to be released; `released`: earlier versions, the newest first. */
export const CHECKS = [
  {
    name: 'branch',
    check: ({ root, branch }) => {
      const current = git(root, 'rev-parse', '--abbrev-ref', 'HEAD');
      return current === branch ? [] : [`the branch is ${current}`];
    },
    remedy: 'git switch main, or --branch NAME for a release of an older line',
  },
  {
    name: 'changes',
    check: ({ root }) => lines(git(root, 'status', '--porcelain')).map((line) => `not committed: ${line}`),
    remedy: 'commit or stash them',
  },
  {
    name: 'version',
    check: ({ version, released, changelog }) => versionProblems(version, released, changelog),
    remedy: 'name another one: npm run release -- VERSION',
  },
  {
    name: 'changelog',
    check: ({ changelog }) => {
      const changes = changesOf(changelog, 'Unreleased');
      if (changes === undefined) return ['CHANGELOG.md has no heading [Unreleased]'];
      return changedPart(changes) === undefined ? ['CHANGELOG.md has nothing below [Unreleased]'] : [];
    },
    remedy: 'write what has changed since the last release',
  },
  {
    name: 'upgrade notes',
    check: ({ notes }) => (unreleasedNotes(notes) ? [] : ['docs/guides/upgrade-notes.md has no section "Unreleased"']),
    remedy: 'write what an upgrade takes, or that it takes nothing',
  },
  {
    name: 'oldest version',
    check: ({ manifest, version, released }) => oldestProblems(manifest.ringdown.upgradesFrom, version, released),
    remedy: 'set "upgradesFrom" in package.json to the oldest version whose data are taken over',
  },
  {
    name: 'migrations',
    check: ({ root, released: [last] }) =>
      last === undefined
        ? []
        : changedSince(root, `v${last}`, MIGRATIONS).map((file) => `${file} differs from ${last}`),
    remedy: 'take them back: a database that has run them does not run them again; add a new one instead',
  },
  {
    name: 'one version',
    check: ({ root, manifest }) =>
      Object.entries(writtenVersions(root))
        .filter(([, each]) => each !== manifest.version)
        .map(([file, each]) => `${file} has ${each}, package.json ${manifest.version}`),
    remedy: 'write the same into all of them',
  },
  {
    name: 'lock file',
    check: ({ root }) => lockFileProblems(join(root, 'package-lock.json')),
    remedy: 'npm install --package-lock-only --omit-lockfile-registry-resolved',
  },
  {
    name: 'licences',
    check: ({ root, lock }) => licenceProblems(lock, root),
    remedy: 'choose another package, or see scripts/supply/licence-rules.mjs',
  },
  {
    name: 'downloads',
    check: ({ root, lock }) => {
      const page = readFileSync(join(root, 'docs/supply-chain.md'), 'utf8');
      return supplyChainPage(page, lock) === page ? [] : ['docs/supply-chain.md is not of this state'];
    },
    remedy: 'npm run docs:supply-chain',
  },
  {
    name: 'places to fill in',
    check: ({ root }) =>
      placesWith(
        root,
        FILL_IN,
        WITH_PLACES.filter((path) => existsSync(join(root, path))),
      ),
    remedy: 'write the owner of the repository and its addresses there',
  },
  {
    name: 'tests',
    check: ({ root }) =>
      testedCommit(root) === git(root, 'rev-parse', 'HEAD') ? [] : ['the whole run has not passed for this commit'],
    remedy: 'RINGDOWN_TEST_ALL=1 npm run test:all',
  },
];

function lines(text) {
  return text === '' ? [] : text.split('\n');
}

function versionProblems(version, released, changelog) {
  const [last] = released;
  if (parseVersion(version) === undefined) return [`${version} is no version like 1.2.3 or 1.2.3-rc.1`];
  if (last !== undefined && compareVersions(version, last) <= 0)
    return [`${version} is not newer than ${last}, which has a tag`];
  const stable = released.find((each) => isStable(each));
  const part = changedPart(changesOf(changelog, 'Unreleased') ?? '');
  if (stable === undefined || part === undefined) return [];
  const least = nextVersion(stable, part);
  if (compareVersions(version.split('-')[0], least) >= 0) return [];
  return [`the changes since ${stable} are of the ${part} version: it must be ${least} or later`];
}

/** A version that was never released may be named only before the first release. */
function oldestProblems(oldest, version, released) {
  if (parseVersion(oldest) === undefined) return [`"upgradesFrom" is ${oldest}, no version`];
  // Said by the check of the version.
  if (parseVersion(version) === undefined) return [];
  if (compareVersions(oldest, version) > 0) return [`"upgradesFrom" is ${oldest}, newer than ${version}`];
  const first = released.at(-1);
  const isKnown = first === undefined || oldest === version || released.includes(oldest);
  return isKnown || compareVersions(oldest, first) < 0 ? [] : [`"upgradesFrom" is ${oldest}, which has no tag`];
}
