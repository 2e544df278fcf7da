// Where the version of the project is written: all manifests, the lock file, and the documents of the interfaces.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MANIFESTS = ['package.json', '{apps,libs,tests}/*/package.json'];
const DOCUMENTS = ['docs/openapi.yaml', 'docs/asyncapi.yaml'];
/** Of `info`, which is the first one in them. */
const IN_DOCUMENT = /^( {2}version: )(\S+)()$/m;
const IN_MANIFEST = /^( {2}"version": ")([^"]+)(",?)$/m;

function manifests(root) {
  return globSync(MANIFESTS, { cwd: root }).filter((file) => IN_MANIFEST.test(readFileSync(join(root, file), 'utf8')));
}

/** `{ file: version }` of all of them. */
export function writtenVersions(root) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const lock = JSON.parse(read('package-lock.json')).packages;
  const inLock = Object.entries(lock).filter(([place, { version }]) => isOwn(place) && version !== undefined);
  return Object.fromEntries([
    ...manifests(root).map((file) => [file, IN_MANIFEST.exec(read(file))[2]]),
    ...DOCUMENTS.map((file) => [file, IN_DOCUMENT.exec(read(file))?.[2] ?? 'none']),
    ...inLock.map(([place, { version }]) => [`package-lock.json, "${place}"`, version]),
  ]);
}

/** Writes one version everywhere. */
export function writeVersion(root, version) {
  const change = (file, edit) => {
    const path = join(root, file);
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
  };
  const replace = (pattern) => (text) =>
    text.replace(pattern, (_, before, _old, after) => `${before}${version}${after}`);
  for (const file of manifests(root)) change(file, replace(IN_MANIFEST));
  for (const file of DOCUMENTS) change(file, replace(IN_DOCUMENT));
  change('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    lock.version = version;
    for (const [place, entry] of Object.entries(lock.packages)) {
      if (isOwn(place) && entry.version !== undefined) entry.version = version;
    }
    return `${JSON.stringify(lock, undefined, 2)}\n`;
  });
}

/** Workspaces and the root; their links below node_modules have no version. */
function isOwn(place) {
  return !place.includes('node_modules');
}
