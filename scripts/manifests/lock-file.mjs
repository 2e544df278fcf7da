// `npm ci` installs exactly the packages in the lock file: each package has the digest of its content, and no
// registry address, so that each machine uses its own registry. `node scripts/manifests/lock-file.mjs [FILE]` checks one file;
// `npm run check:manifests` checks ours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../prepare.mjs';

/** The problems of a lock file, one line each. */
export function lockFileProblems(file = join(root, 'package-lock.json')) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(packages)
    .filter(([place, entry]) => place.includes('node_modules/') && !entry.link)
    .flatMap(([place, { integrity, resolved }]) => [
      ...(/^sha512-[\w+/]{86}==$/.test(integrity ?? '') ? [] : [`${place} has no sha512 integrity`]),
      ...(resolved === undefined ? [] : [`${place} contains a registry address: ${resolved}`]),
    ])
    .map((problem) => `package-lock.json: ${problem}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = lockFileProblems(process.argv[2]);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
