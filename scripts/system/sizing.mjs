// `npm run sizing -- --calls-per-hour 10000`: prints the disk, memory, processes and partitions that a system needs.
import { ensurePrograms, ensureInstalled, runBuilt } from '../prepare.mjs';

ensureInstalled();
ensurePrograms();
runBuilt('ringdown/sizing');
