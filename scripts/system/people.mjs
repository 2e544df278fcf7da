// Runs the command that edits people: `npm run people -- list`. Builds it first on a fresh clone.
import { spawnSync } from 'node:child_process';
import { ensurePrograms, node24, programThere } from '../prepare.mjs';

if (programThere('ringdown/people') === undefined) ensurePrograms();
const command = programThere('ringdown/people');
const { status, error } = spawnSync(node24, [command, ...process.argv.slice(2)], { stdio: 'inherit' });
if (error) throw error;
process.exit(status ?? 1);
