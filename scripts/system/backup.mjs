// `npm run backup`: copies the system of DATA_DIR, or of NATS_URL and DATABASE_URL, to a new folder, also while it runs. With containers:
//   docker compose run --rm backup (docs/guides/backup.md)
import { loadEnvFile, runBuilt } from '../prepare.mjs';

loadEnvFile();
runBuilt('ringdown/backup');
