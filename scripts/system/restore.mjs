// `npm run restore -- FOLDER`: makes a stopped system what it was at the time of a backup, also on a new machine: builds what is checked out first.
import { ensurePrograms, ensureInstalled, ensureNatsServer, loadEnvFile, runBuilt } from '../prepare.mjs';

loadEnvFile();
ensureInstalled();
ensurePrograms();
if (!process.env.NATS_URL) ensureNatsServer();
runBuilt('ringdown/restore');
