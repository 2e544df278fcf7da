// `npm stop`: stops the system of DATA_DIR, wherever it was started, and waits for its end.
import { loadEnvFile, runBuilt } from './prepare.mjs';

loadEnvFile();
runBuilt('apps/ringdown/dist/src/stop-main.js');
