// `npm run dead-letters -- list`: the records of a running system that could not become part of a call. In compose:
//   docker compose exec aggregator node apps/aggregator/dist/src/dead-letters/main.js list
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, loadEnvFile, node24, root } from './prepare.mjs';

loadEnvFile();
const program = join(root, 'apps', 'ringdown', 'dist', 'src', 'dead-letters-main.js');
// Installing and building are the business of `npm start`: this is asked of a system that runs.
if (!existsSync(node24) || !existsSync(program)) fail('nothing is built yet; run "npm start" first');
const { status } = spawnSync(node24, [program, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
