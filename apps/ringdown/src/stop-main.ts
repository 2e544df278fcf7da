import { reasonOf } from '@ringdown/errors';
import { readSettings } from '@ringdown/settings';
import { resolve } from 'node:path';
import { ringdownSettings } from './settings.js';
import { stopSystem } from './stop.js';

// `npm stop`: stops the system of DATA_DIR in order, wherever it was started.
const { dataDir } = readSettings({ dataDir: ringdownSettings.dataDir }, process.env);
try {
  process.stdout.write(`${await stopSystem(resolve(dataDir))}\n`);
} catch (error) {
  process.stderr.write(`stop: ${reasonOf(error)}\n`);
  process.exitCode = 1;
}
