import { errorReason } from '@ringdown/errors';
import { readSettings } from '@ringdown/settings';
import { resolve } from 'node:path';
import { takeRightsOfOwner } from './owner-rights.js';
import { ringdownSettings } from './settings.js';
import { stopSystem } from './stop.js';

// `npm stop`: stops the system of DATA_DIR in order, wherever it was started.
const { dataDir } = readSettings({ dataDir: ringdownSettings.dataDir }, process.env);
try {
  // The owner of the folder says in it which process is stopped.
  takeRightsOfOwner(resolve(dataDir));
  process.stdout.write(`${await stopSystem(resolve(dataDir))}\n`);
} catch (error) {
  process.stderr.write(`stop: ${errorReason(error)}\n`);
  process.exitCode = 1;
}
