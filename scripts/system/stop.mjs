// `npm stop`: stops the system of DATA_DIR, wherever it was started, and waits until it has ended.
import { loadEnvFile, runBuilt } from '../prepare.mjs';

loadEnvFile();
runBuilt('ringdown/stop');
