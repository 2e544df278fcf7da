// `npm run docs:catalogue`: writes the tables of docs/ and the console's list of metrics from the rows of libs/call-catalogue.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, node24, quietly, root } from '../prepare.mjs';

ensureInstalled();
// Not the console, which may wait for what is written here.
quietly('the build', node24, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', 'libs/call-catalogue']);
const program = join(root, 'libs', 'call-catalogue', 'dist', 'src', 'generate', 'main.js');
process.exit(spawnSync(node24, [program, root], { stdio: 'inherit' }).status ?? 1);
