import { installDebianProgram } from '@ringdown/embedded';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../../..');
const folder = join(root, '.cache', 'kubectl');

/** Debian 13's, in .cache of the checkout: kustomize inside of others may be older, and render otherwise. */
export async function ensureKubectl(): Promise<string> {
  const program = join(folder, 'kubectl');
  if (!existsSync(program)) {
    const wanted = { package: 'kubectl', path: 'usr/bin/kubectl', version: ['version', '--client'] };
    await installDebianProgram(wanted, folder);
  }
  return program;
}

/** What `kubectl kustomize` prints for a folder. Throws an Error with its reason. */
export function render(kubectl: string, path: string): string {
  return execFileSync(kubectl, ['kustomize', path], { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
}
