// `npm run build`: installs what is missing, compiles what has changed, and bundles the console.
import { ensureBuilt, ensureInstalled } from './prepare.mjs';

ensureInstalled();
ensureBuilt();
