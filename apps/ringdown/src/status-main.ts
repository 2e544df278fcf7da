import { readSettings } from '@ringdown/settings';
import { resolve } from 'node:path';
import { ringdownSettings } from './settings.js';
import { readSystemStatus } from './status.js';
import { wayBackLines } from './upgrade/downgrade-command.js';

// `npm run status`: the state of the system of DATA_DIR. Exit code 0: ready, 1: not ready, 3: not running.
const { dataDir } = readSettings({ dataDir: ringdownSettings.dataDir }, process.env);
const { code, lines } = await readSystemStatus(resolve(dataDir));
process.stdout.write(`${[...lines, ...wayBackLines(resolve(dataDir))].join('\n')}\n`);
process.exitCode = code;
