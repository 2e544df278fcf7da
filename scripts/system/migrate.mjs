// `npm run migrate -- --dry-run`: which migrations of the database would run. Builds what is checked out first. In compose:
//   docker compose run --rm aggregator node dist/aggregator/migrate.js --dry-run
import { ensurePrograms, ensureInstalled, loadEnvFile, runBuilt } from '../prepare.mjs';

loadEnvFile();
ensureInstalled();
ensurePrograms();
runBuilt('ringdown/migrate');
