// `npm run docs:settings`: writes docs/settings.md from the settings that the services read.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node24, root } from '../prepare.mjs';

ensureInstalled();
ensureBuilt();
const program = join(root, 'apps', 'ringdown', 'dist', 'src', 'settings-doc.js');
process.exit(spawnSync(node24, [program, join(root, 'docs', 'settings.md')], { stdio: 'inherit' }).status ?? 1);
