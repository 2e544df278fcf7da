// `npm run build`: compiles what has changed, and bundles the console.
import { ensureBuilt } from './prepare.mjs';

ensureBuilt();
