// `npm run identity-token -- sip:alice@example.com`: prints the token of a hidden user. In compose:
//   docker compose exec aggregator node dist/aggregator/identity-token.js sip:alice@example.com
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadEnvFile, root, runBuilt } from '../prepare.mjs';

loadEnvFile();
const ownSeed = join(resolve(root, process.env.DATA_DIR || 'data'), 'identity-seed');
const seed = process.env.IDENTITY_SEED || (existsSync(ownSeed) ? readFileSync(ownSeed, 'utf8').trim() : '');
runBuilt('aggregator/identity-token', { IDENTITY_SEED: seed });
