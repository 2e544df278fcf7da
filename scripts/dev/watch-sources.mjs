// Tells of changes in the sources of workspaces and of all that they refer to.
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';

/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MS = 100;

/** Folders of these workspaces and of all that they refer to, from the root. */
export function withReferences(folders) {
  const found = new Set();
  const visit = (folder) => {
    if (found.has(folder)) return;
    found.add(folder);
    const { references = [] } = JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8'));
    for (const { path } of references) visit(join(folder, path));
  };
  for (const folder of folders) visit(folder);
  return [...found];
}

/** Calls back with the changed files, from the root, when no more changes come. */
export function watchSources(folders, onChange) {
  const changed = new Set();
  let timer;
  for (const folder of folders) {
    const sources = join(folder, 'src');
    if (!existsSync(join(root, sources))) continue;
    watch(join(root, sources), { recursive: true }, (_event, file) => {
      changed.add(join(sources, file ?? ''));
      clearTimeout(timer);
      timer = setTimeout(() => {
        const files = [...changed];
        changed.clear();
        onChange(files);
      }, QUIET_MS);
    });
  }
}
