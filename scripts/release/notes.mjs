// The notes of a release: `node scripts/release/notes.mjs VERSION` prints them (for the workflow, from the files of the tag).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, root } from '../packages.cjs';
import { changesOf } from './changelog.mjs';

export function releaseNotes({ version, changelog, upgradeNotes, upgradesFrom }) {
  const changes = changesOf(changelog, version);
  if (!changes) throw new Error(`CHANGELOG.md has nothing for ${version}`);
  const upgrade = sectionOf(upgradeNotes, version);
  if (!upgrade) throw new Error(`docs/guides/upgrade-notes.md has no section for ${version}`);
  return `# Ringdown ${version}

Upgrades from ${upgradesFrom} or later. Make a backup first.

## Upgrade

${withoutLinks(upgrade)}

## Changes

${withoutLinks(changes)}

## Files

\`SHA256SUMS\` has the digest of each file; where its attestation was published, \`gh attestation verify FILE --repo OWNER/REPOSITORY\` says by which workflow of which commit it was built.
The files \`*.cdx.json\` list what the packages contain. \`images.env\` has all images that Compose runs, by their digests (\`deploy/make-env.sh images images.env\`), and
\`ringdown-kubernetes-${version}.tar.gz\` the manifests of Kubernetes with them.
`;
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

/** Below a heading of the upgrade notes. */
function sectionOf(notes, version) {
  const [, after] = notes.split(`\n## ${version}\n`);
  return after?.split(/^## /m)[0].trim();
}

/** Links between documents lead nowhere on the page of a release. */
function withoutLinks(text) {
  return text.replaceAll(/\[([^[\]]+)\]\((?!https?:)[^()]+\)/g, '$1');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , version] = process.argv;
  if (version === undefined) fail('usage: node scripts/release/notes.mjs VERSION');
  const { upgradesFrom } = JSON.parse(read('package.json')).ringdown;
  const [changelog, upgradeNotes] = ['CHANGELOG.md', 'docs/guides/upgrade-notes.md'].map((file) => read(file));
  process.stdout.write(releaseNotes({ version, changelog, upgradeNotes, upgradesFrom }));
}
