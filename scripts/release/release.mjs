// `npm run release`: checks everything, writes the version everywhere, commits, and makes the tag. It sends nothing anywhere.
//   npm run release                 the version that the CHANGELOG asks for
//   npm run release -- 1.2.0        this one
//   npm run release -- --dry-run    only the checks: changes nothing; exit code 1 if something is wrong
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, print, root } from '../packages.cjs';
import { changedPart, changesOf, withRelease } from './changelog.mjs';
import { CHECKS } from './checks.mjs';
import { releaseNotes } from './notes.mjs';
import { git, releasedVersions } from './repository.mjs';
import { withReleasedNotes } from './upgrade-notes.mjs';
import { writeVersion } from './version-files.mjs';
import { isStable, nextVersion } from './versions.mjs';

const CHANGELOG = 'CHANGELOG.md';
const UPGRADE_NOTES = 'docs/guides/upgrade-notes.md';
const FIRST = '1.0.0';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, branch: { type: 'string', default: 'main' } },
});
if (positionals.length > 1) fail('name one version: npm run release -- 1.2.0');

const read = (file) => readFileSync(join(root, file), 'utf8');
const [manifest, lock] = ['package.json', 'package-lock.json'].map((file) => JSON.parse(read(file)));
const facts = { root, manifest, lock, branch: values.branch, changelog: read(CHANGELOG), notes: read(UPGRADE_NOTES) };
const released = releasedVersions(root);
const version = positionals[0] ?? versionOfChanges();

const problems = CHECKS.map(({ name, check, remedy }) => ({
  name,
  remedy,
  found: check({ ...facts, released, version }),
}));
for (const { name, remedy, found } of problems)
  print(found.length === 0 ? `ok       ${name}` : report(name, found, remedy));
const wrong = problems.filter(({ found }) => found.length > 0);
if (wrong.length > 0) fail(`${version} cannot be released yet: ${wrong.map(({ name }) => name).join(', ')}`);
if (values['dry-run']) print(`${version} can be released: npm run release -- ${version}`);
else release();

/** The one after the last release, by what has changed. */
function versionOfChanges() {
  const last = released.find((each) => isStable(each));
  const part = changedPart(changesOf(facts.changelog, 'Unreleased') ?? '');
  return last === undefined ? FIRST : nextVersion(last, part ?? 'patch');
}

function report(name, found, remedy) {
  const more = found.length > 10 ? [`and ${found.length - 10} more`] : [];
  return [
    `problem  ${name}`,
    ...[...found.slice(0, 10), ...more].map((each) => `           ${each}`),
    `         → ${remedy}`,
  ].join('\n');
}

function release() {
  const date = new Date().toISOString().slice(0, 10);
  const changelog = withRelease(facts.changelog, version, date);
  const upgradeNotes = withReleasedNotes(facts.notes, version);
  writeFileSync(join(root, CHANGELOG), changelog);
  writeFileSync(join(root, UPGRADE_NOTES), upgradeNotes);
  writeVersion(root, version);
  git(root, 'commit', '--all', '--quiet', '-m', `chore(release): ${version}`);
  git(root, 'tag', '--annotate', `v${version}`, '-m', `Ringdown ${version}`);
  const notes = join(root, 'out', 'notes.md');
  mkdirSync(join(root, 'out'), { recursive: true });
  writeFileSync(
    notes,
    releaseNotes({ version, changelog, upgradeNotes, upgradesFrom: manifest.ringdown.upgradesFrom }),
  );
  print(
    `v${version} is tagged, and its notes are in ${notes}. To publish it: git push origin ${values.branch} v${version}`,
  );
}
