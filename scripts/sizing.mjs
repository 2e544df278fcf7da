// `npm run sizing -- --calls-per-hour 10000`: prints the disk, memory, processes and partitions that a system needs.
import { ensureCompiled, ensureInstalled, runBuilt } from './prepare.mjs';

ensureInstalled();
ensureCompiled(['apps/ringdown']);
runBuilt('apps/ringdown/dist/src/sizing/main.js');
