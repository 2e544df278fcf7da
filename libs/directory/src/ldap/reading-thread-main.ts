/** The thread that reads the directory (ADR 0028), so that searches in the process do not wait for its work. */
import { parentPort, workerData } from 'node:worker_threads';
import { ldapParts } from './ldap-access.js';
import { LdapChanges, type Change } from './ldap-changes.js';
import { failureOf, type FromThread, type ThreadData, type ToThread } from './reading-messages.js';

/** Few enough that applying them does not block the other thread. */
const AT_ONCE = 50;

const port = parentPort;
if (port === null) throw new Error('this runs as a thread only');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what ReadingThread gives
const { access, fullRefreshMs } = workerData as ThreadData;
const changes = new LdapChanges({ ...ldapParts(access), fullRefreshMs });
let more: (() => void) | undefined;

port.on('message', (message: ToThread) => {
  if (message.kind === 'read') void read(message.calm);
  else if (message.kind === 'know') changes.know(message.ids);
  else more?.();
});

async function read(calm: boolean): Promise<void> {
  try {
    tell({ kind: 'done', reading: await changes.read(calm, handOver) });
  } catch (error) {
    tell({ kind: 'failed', failure: failureOf(error) });
  }
}

async function handOver({ put, removed }: Change): Promise<void> {
  for (let at = 0; at < Math.max(put.length, 1); at += AT_ONCE) {
    const taken = new Promise<void>((resolve) => (more = resolve));
    tell({ kind: 'change', change: { put: put.slice(at, at + AT_ONCE), removed: at === 0 ? removed : [] } });
    await taken;
  }
}

function tell(message: FromThread): void {
  port?.postMessage(message);
}
