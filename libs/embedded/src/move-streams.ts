import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { streamAccounts } from './bus-users.js';

/** The account of all users before there were accounts. */
const GLOBAL = '$G';

/**
 * Moves the streams of a bus from before it had accounts, whose server is stopped, to the accounts that they belong to:
 * each in one step, so that after a crash at any moment the next start goes on. Streams that we do not know are moved to
 * the feed. Throws when an account has a stream of the same name: an older program has run on the folder since.
 *
 * `folder`: nats-server keeps each stream in `ACCOUNT/streams/NAME`, and writes the account nowhere else.
 */
export function moveStreamsToAccounts(folder: string): void {
  const old = join(folder, GLOBAL, 'streams');
  if (!existsSync(old)) return;
  const accounts = streamAccounts();
  for (const name of readdirSync(old)) {
    const target = join(folder, accounts.get(name) ?? 'FEED', 'streams', name);
    if (existsSync(target)) {
      throw new Error(
        `the message bus has the stream ${name} twice, in ${join(old, name)} and in ${target}: an older version of Ringdown was started on it after an upgrade. ` +
          'Move one of the two folders away and start again: the first has what the older version accepted',
      );
    }
    mkdirSync(dirname(target), { recursive: true, mode: 0o750 });
    renameSync(join(old, name), target);
    for (const changed of [old, dirname(target), dirname(dirname(target)), folder]) sync(changed);
  }
  // Only when it is empty, as after the loop: nothing is deleted here.
  rmdirSync(old);
}

/** What was renamed is at its new place after a power cut, too. */
function sync(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
