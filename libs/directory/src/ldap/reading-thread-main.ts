/** The thread that reads the directory (ADR 0028), so that searches in the process do not wait for its work. */
import { parentPort, workerData } from 'node:worker_threads';
import { ldapParts } from './ldap-access.js';
import { LdapChanges, type Change } from './ldap-changes.js';
import { threadFailure, type FromThread, type ThreadData, type ToThread } from './reading-messages.js';

/** Few enough that applying them does not block the other thread. */
const PEOPLE_PER_MESSAGE = 50;

const port = parentPort;
if (port === null) throw new Error('this module must run as a worker thread');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what ReadingThread gives
const { access, fullRefreshMs } = workerData as ThreadData;
const changes = new LdapChanges({ ...ldapParts(access), fullRefreshMs });
let resume: (() => void) | undefined;

port.on('message', (message: ToThread) => {
  if (message.kind === 'read') void read(message.throttled);
  else if (message.kind === 'known') changes.markKnown(message.ids);
  else resume?.();
});

async function read(throttled: boolean): Promise<void> {
  try {
    reply({ kind: 'done', reading: await changes.read(throttled, sendChange) });
  } catch (error) {
    reply({ kind: 'failed', failure: threadFailure(error) });
  }
}

async function sendChange({ put, removed }: Change): Promise<void> {
  for (let at = 0; at < Math.max(put.length, 1); at += PEOPLE_PER_MESSAGE) {
    const applied = new Promise<void>((resolve) => (resume = resolve));
    reply({
      kind: 'change',
      change: { put: put.slice(at, at + PEOPLE_PER_MESSAGE), removed: at === 0 ? removed : [] },
    });
    await applied;
  }
}

function reply(message: FromThread): void {
  port?.postMessage(message);
}
