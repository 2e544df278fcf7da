// `npm run dead-letters -- list`: the records of a running system that could not become part of a call. In compose:
//   docker compose exec aggregator node apps/aggregator/dist/src/dead-letters/main.js list
import { loadEnvFile, runBuilt } from './prepare.mjs';

loadEnvFile();
runBuilt('apps/ringdown/dist/src/dead-letters-main.js');
