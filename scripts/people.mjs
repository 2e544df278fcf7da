// Runs the command that edits people: `npm run people -- list`. Builds it first on a fresh clone.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensurePrograms, node24, programFile } from './prepare.mjs';

const command = programFile('ringdown/people');
if (!existsSync(command)) ensurePrograms(['apps/ringdown']);
const { status, error } = spawnSync(node24, [command, ...process.argv.slice(2)], { stdio: 'inherit' });
if (error) throw error;
process.exit(status ?? 1);
