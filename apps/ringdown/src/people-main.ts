import { runPeopleCommand } from '@ringdown/discovery-auth/people-command';
import { embeddedNatsUrl } from '@ringdown/embedded/bus';
import { readSettings } from '@ringdown/settings';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ringdownSettings } from './settings.js';

/** The same command for the one-process system, whose bus has another URL and password after every start. */
const { dataDir } = readSettings({ dataDir: ringdownSettings.dataDir }, process.env);
const natsUrl = process.env['NATS_URL'] ?? embeddedNatsUrl(join(dataDir, 'nats'), 'discovery-auth');
process.exitCode = await runPeopleCommand(process.argv.slice(2), {
  env: natsUrl === undefined ? process.env : { ...process.env, NATS_URL: natsUrl },
  readInput: () => text(process.stdin),
  out: (words) => void process.stdout.write(words),
  err: (words) => void process.stderr.write(words),
});
