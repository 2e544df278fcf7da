import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedParts, withPart } from './documents.js';

/** `npm run docs:catalogue`: writes the parts of documents and of the console that follow from the rows. */
const [root = '.'] = process.argv.slice(2);
for (const part of generatedParts()) {
  const file = join(root, part.file);
  const before = readFileSync(file, 'utf8');
  const after = withPart(before, part);
  if (after === before) continue;
  writeFileSync(file, after);
  process.stdout.write(`wrote "${part.name}" of ${part.file}\n`);
}
