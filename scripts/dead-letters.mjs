// `npm run dead-letters -- list`: lists the dead letters of a running system. In compose:
//   docker compose exec aggregator node apps/aggregator/dist/src/dead-letters/main.js list
import { loadEnvFile, runBuilt } from './prepare.mjs';

loadEnvFile();
runBuilt('apps/ringdown/dist/src/dead-letters-main.js');
