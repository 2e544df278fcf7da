import { errorReason } from '@ringdown/errors';
import { readSettings } from '@ringdown/settings';
import { resolve } from 'node:path';
import { takeRightsOfOwner } from './owner-rights.js';
import { ringdownSettings } from './settings.js';
import { runDowngrade } from './upgrade/downgrade-command.js';

// `npm run downgrade`: the data as they were before the last upgrade.
const { dataDir } = readSettings({ dataDir: ringdownSettings.dataDir }, process.env);
try {
  takeRightsOfOwner(resolve(dataDir));
  process.stdout.write(await runDowngrade(resolve(dataDir), process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`downgrade: ${errorReason(error)}\n`);
  process.exitCode = 1;
}
