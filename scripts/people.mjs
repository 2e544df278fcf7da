// Runs the command that edits people: `npm run people -- list`. Builds it first on a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const command = join(root, 'apps/ringdown/dist/src/people-main.js');

function run(args) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

if (!existsSync(command)) {
  const status = run([join(root, 'node_modules/typescript/bin/tsc'), '-b', join(root, 'apps/ringdown')]);
  if (status !== 0) process.exit(status);
}
process.exit(run([command, ...process.argv.slice(2)]));
