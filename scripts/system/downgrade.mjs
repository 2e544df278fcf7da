// `npm run downgrade`: the data of a stopped system as they were before the last upgrade, from the copy that it has kept. Builds what is
// checked out first: it may be the version before.
import { ensurePrograms, ensureInstalled, loadEnvFile, runBuilt } from '../prepare.mjs';

loadEnvFile();
ensureInstalled();
ensurePrograms();
runBuilt('ringdown/downgrade');
