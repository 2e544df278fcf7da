// `npm run fuzz`: posts hostile bodies to its own collector, longer than in the tests and different each time.
//   npm run fuzz -- --inputs 1000000 --seed 7
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, node24, root } from '../prepare.mjs';

ensureInstalled();
ensureBuilt();
ensureNatsServer();
const program = join(root, 'apps', 'collector', 'dist', 'test', 'fuzz', 'fuzz-main.js');
const { status } = spawnSync(node24, [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
