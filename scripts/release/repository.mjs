// What git knows of a checkout.
import { execFileSync } from 'node:child_process';
import { parseVersion, compareVersions } from './versions.mjs';

/** The output of a command of git. Throws an Error with its reason. */
export function git(root, ...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
}

/** Versions that have a tag, the newest first; other tags do not count. */
export function releasedVersions(root) {
  return git(root, 'tag', '--list', 'v*')
    .split('\n')
    .map((tag) => tag.slice(1))
    .filter((version) => parseVersion(version) !== undefined)
    .toSorted((a, b) => compareVersions(b, a));
}

/** Files below a folder that a commit had and that are others now, or gone. */
export function changedSince(root, commit, folder) {
  return git(root, 'diff', '--name-status', '--no-renames', commit, '--', folder)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('A'))
    .map((line) => line.split('\t')[1]);
}

/** Lines of committed files with this text: `FILE:LINE`. */
export function placesWith(root, text, paths) {
  try {
    return git(root, 'grep', '--line-number', '--fixed-strings', '-e', text, '--', ...paths)
      .split('\n')
      .map((line) => line.split(':', 2).join(':'));
  } catch (error) {
    // git grep ends with 1 where it finds nothing.
    if (error.status === 1) return [];
    throw error;
  }
}
