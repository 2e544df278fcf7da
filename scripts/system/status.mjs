// `npm run status`: prints whether the system of DATA_DIR runs, its addresses and its state. Exit code 0: ready, 1: not ready, 3: not running.
import { loadEnvFile, runBuilt } from '../prepare.mjs';

loadEnvFile();
runBuilt('ringdown/status');
