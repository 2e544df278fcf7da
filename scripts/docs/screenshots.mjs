// `npm run docs:screenshots`: makes pictures of each view of the console with the demo: light, dark and in phone size.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, node24, root } from '../prepare.mjs';
import { ensureChromium } from '../test-servers.mjs';

ensureInstalled();
ensureBuilt();
ensureNatsServer();
ensureChromium();
const program = join(root, 'apps', 'console', 'dist', 'test', 'take-screenshots.js');
const folder = join(root, 'docs', 'screenshots');
process.exit(spawnSync(node24, [program, folder], { stdio: 'inherit' }).status ?? 1);
