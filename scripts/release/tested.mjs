// That the whole run of the tests has passed, for which commit: `npm run test:all` writes it, `npm run release` reads it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { git } from './repository.mjs';

function markIn(root) {
  return join(root, '.cache', 'whole-run-passed');
}

/** The commit of a checkout without changes; undefined if something is changed, or there is no git. */
export function cleanCommit(root) {
  try {
    return git(root, 'status', '--porcelain') === '' ? git(root, 'rev-parse', 'HEAD') : undefined;
  } catch {
    return undefined;
  }
}

/** `commit`: the one that was there when the run began. Nothing is written when another one is there now. */
export function markTested(root, commit) {
  if (commit === undefined || cleanCommit(root) !== commit) return;
  mkdirSync(dirname(markIn(root)), { recursive: true });
  writeFileSync(markIn(root), commit);
}

export function testedCommit(root) {
  return existsSync(markIn(root)) ? readFileSync(markIn(root), 'utf8') : undefined;
}
