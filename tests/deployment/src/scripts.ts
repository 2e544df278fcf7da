import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const ROOT = join(import.meta.dirname, '../../../..');

/** What code prints as JSON that imports scripts: they are JavaScript without types, so it runs as a program of its own. Throws what it throws. */
export function fromScript(code: string): unknown {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The address of a script, for `import`: `supply/licences.mjs`. */
export function script(name: string): string {
  return pathToFileURL(join(ROOT, 'scripts', name)).href;
}
