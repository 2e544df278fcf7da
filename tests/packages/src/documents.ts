import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const CHECKOUT = join(import.meta.dirname, '../../../..');

/** The shell commands of a section of a document, a block each, without what is said of them. */
export function commandsUnder(document: string, heading: string): readonly string[] {
  const text = readFileSync(join(CHECKOUT, document), 'utf8');
  const [, section] = text.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`${document} has no section "${heading}"`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands.replace(/ +#.*$/gm, ''));
}

/** The lines of a block, and of each line what is joined by `&&`. */
export function linesOf(commands: string): readonly string[] {
  return commands.split(/\n| && /).filter((line) => line !== '');
}
