import { globSync } from 'node:fs';
import { join } from 'node:path';

/** The folder src, seen from dist/src/texts. */
export const SOURCES = join(import.meta.dirname, '..', '..', '..', 'src');

/** The modules of the console that may show texts. */
export function modules(): readonly string[] {
  return globSync('**/*.{ts,tsx}', { cwd: SOURCES })
    .filter((file) => !file.startsWith('texts/') && !file.endsWith('.spec.ts'))
    .sort();
}
