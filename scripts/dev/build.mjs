// `npm run build`: installs what is missing, compiles what has changed, and bundles the programs and the console. With folders of
// workspaces (`npm run build -- libs/settings`) only those are compiled, with what they refer to.
import { ensureBuilt, ensureInstalled } from '../prepare.mjs';

ensureInstalled();
ensureBuilt(process.argv.slice(2));
