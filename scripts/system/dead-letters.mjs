// `npm run dead-letters -- list`: lists the dead letters of a running system. In compose:
//   docker compose exec aggregator node dist/aggregator/dead-letters.js list
import { loadEnvFile, runBuilt } from '../prepare.mjs';

loadEnvFile();
runBuilt('ringdown/dead-letters');
