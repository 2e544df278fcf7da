// `npm run status`: whether the system of DATA_DIR runs, where, and how it is. Exit code 0: ready, 1: not ready, 3: not running.
import { loadEnvFile, runBuilt } from './prepare.mjs';

loadEnvFile();
runBuilt('apps/ringdown/dist/src/status-main.js');
