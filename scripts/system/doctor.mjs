// `npm run doctor`: looks for what is wrong with the system of DATA_DIR and this machine. Exit code 0: no problem, 1: problems, 2: wrong settings.
import { join } from 'node:path';
import { loadEnvFile, root, runBuilt } from '../prepare.mjs';

const file = process.env.RINGDOWN_ENV_FILE || join(root, '.env');
loadEnvFile();
runBuilt('ringdown/doctor', { RINGDOWN_ENV_FILE: file });
