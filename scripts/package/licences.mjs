// The licences of all that a package has inside, in one file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LICENCES } from '../bundle/licences.mjs';
import { POSTGRES_PARTS } from './postgres-parts.mjs';

const TEXTS = join(import.meta.dirname, 'licences');
const RULE = `\n${'='.repeat(80)}\n`;

/** The text for a package whose programs are in `tree`, and whose bundles are those of `root`. */
export function packageLicences(root, tree, { postgres, argon2 }) {
  const inModules = (name, file) => read(tree, 'node_modules', name, file);
  const sections = [
    ['Node.js, in node', read(tree, 'node', 'LICENSE')],
    ['nats-server, in servers', read(tree, 'servers', 'nats-server.copyright')],
    [`${postgres}, which packages PostgreSQL`, inModules(postgres, 'LICENSE.md')],
    ...POSTGRES_PARTS.map(({ name, text }) => [`${name}, in node_modules/${postgres}`, read(TEXTS, text)]),
    [`@node-rs/argon2 and ${argon2}`, inModules('@node-rs/argon2', 'LICENSE')],
    ['The programs in dist', read(root, 'dist', LICENCES)],
  ];
  return sections.map(([title, text]) => `${title}\n\n${text}\n`).join(RULE);
}

function read(...path) {
  return readFileSync(join(...path), 'utf8').trim();
}
