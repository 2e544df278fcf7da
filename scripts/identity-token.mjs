// `npm run identity-token -- sip:alice@example.com`: by which token a user is called where users are hidden. In compose:
//   docker compose exec aggregator node apps/aggregator/dist/src/identity-token/main.js sip:alice@example.com
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, loadEnvFile, node24, root } from './prepare.mjs';

loadEnvFile();
const program = join(root, 'apps', 'aggregator', 'dist', 'src', 'identity-token', 'main.js');
if (!existsSync(node24) || !existsSync(program)) fail('nothing is built yet; run "npm start" first');
const ownSeed = join(resolve(root, process.env.DATA_DIR || 'data'), 'identity-seed');
const seed = process.env.IDENTITY_SEED || (existsSync(ownSeed) ? readFileSync(ownSeed, 'utf8').trim() : '');
const env = { ...process.env, IDENTITY_SEED: seed };
const { status } = spawnSync(node24, [program, ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
