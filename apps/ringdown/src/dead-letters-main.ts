import { runDeadLettersCommand } from '@ringdown/aggregator/dead-letters-command';
import { embeddedNatsUrl } from '@ringdown/embedded/bus';
import { readSettings } from '@ringdown/settings';
import { join } from 'node:path';
import { ringdownSettings } from './settings.js';

/** The same command for the one-process system, whose bus has another URL and password after every start. */
const { dataDir } = readSettings({ dataDir: ringdownSettings.dataDir }, process.env);
const natsUrl = process.env['NATS_URL'] ?? embeddedNatsUrl(join(dataDir, 'nats'));
if (natsUrl === undefined) {
  process.stderr.write(`dead-letters: no system runs in ${dataDir} (DATA_DIR), and NATS_URL is not set\n`);
  process.exitCode = 1;
} else {
  process.exitCode = await runDeadLettersCommand(process.argv.slice(2), {
    env: { ...process.env, NATS_URL: natsUrl },
    out: (words) => void process.stdout.write(words),
    err: (words) => void process.stderr.write(words),
  });
}
