// `npm run migrate -- --dry-run`: which migrations of the database would run. Builds what is checked out first. In compose:
//   docker compose run --rm aggregator node apps/aggregator/dist/src/migrate/main.js --dry-run
import { ensureCompiled, ensureInstalled, loadEnvFile, runBuilt } from './prepare.mjs';

loadEnvFile();
ensureInstalled();
ensureCompiled(['apps/ringdown']);
runBuilt('apps/ringdown/dist/src/migrate-main.js');
