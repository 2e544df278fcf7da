import { ownCommand } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inBytes } from '../sizing/byte-words.js';
import { endLeftoverServers } from '../host/leftover-servers.js';
import { LABEL_WIDTH } from '../host/addresses.js';
import { RunningFile } from '../running-system.js';
import { releaseHold } from './data-version.js';
import { copyToPutBack, downgrade, isDowngradeUnfinished } from './downgrade.js';
import { copyFolderOf, keptCopies, removeAllCopies, undoneData } from './kept-copies.js';

const USAGE = `usage: ${ownCommand('downgrade', '[--check | --allow-upgrade | --forget]')}

Puts the data back as they were before the last upgrade, from the copy that the upgrade has kept. The system must be stopped. What came
since then is kept beside it, and is not in the system any more.

  --check          says what it would do
  --allow-upgrade  lets a later version take over the data again
  --forget         deletes the copies, and what downgrades have put away: there is no way back then
`;

const OPTIONS = {
  check: { type: 'boolean' },
  'allow-upgrade': { type: 'boolean' },
  forget: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Resolves to what is printed; throws an Error in one line when it cannot be done. */
export async function runDowngrade(dataDir: string, args: readonly string[]): Promise<string> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help === true) return USAGE;
  if (Object.keys(values).length > 1) throw new Error('give one option at a time');
  if (!existsSync(dataDir)) throw new Error(`there is no folder ${dataDir} (DATA_DIR)`);
  if (values.check === true) return describePlan(dataDir);
  return alone(dataDir, async () => {
    if (values.forget === true) return forget(dataDir);
    if (values['allow-upgrade'] !== true) return putBack(dataDir);
    releaseHold(dataDir);
    return `the next start of a later version takes over the data of ${dataDir}\n`;
  });
}

/** What a folder keeps beside its data, for the status. */
export function wayBackLines(dataDir: string): readonly string[] {
  const copies = keptCopies(dataDir).map(
    ({ version, at, bytes }) => `Ringdown ${version}, copy of ${at}, ${inBytes(bytes)} (${ownCommand('downgrade')})`,
  );
  const undone = undoneData(dataDir).map(
    (name) => `${copyFolderOf(dataDir, name)} is not in use (${ownCommand('downgrade', '--forget')} deletes it)`,
  );
  return [...copies, ...undone].map((words) => `  ${'Way back'.padEnd(LABEL_WIDTH)} ${words}`);
}

function describePlan(dataDir: string): string {
  const { name, version, at, bytes } = copyToPutBack(dataDir);
  const facts =
    at === undefined || bytes === undefined ? 'an interrupted downgrade' : `made at ${at}, ${inBytes(bytes)}`;
  return `the data of ${dataDir} would become those of Ringdown ${version} in ${copyFolderOf(dataDir, name)} (${facts}); what came since would be kept beside them\n`;
}

async function putBack(dataDir: string): Promise<string> {
  await endLeftoverServers(dataDir);
  const { version, undone } = await downgrade(dataDir);
  return (
    `the data of ${dataDir} are those of Ringdown ${version} again: install that version and start it\n` +
    `What came since the upgrade is in ${undone}, and not in the system; "${ownCommand('downgrade', '--forget')}" deletes it.\n` +
    `Later versions do not touch the data until "${ownCommand('downgrade', '--allow-upgrade')}".\n`
  );
}

function forget(dataDir: string): string {
  if (isDowngradeUnfinished(dataDir))
    throw new Error(`a downgrade was interrupted: end it first (${ownCommand('downgrade')})`);
  const names = [...keptCopies(dataDir).map(({ name }) => name), ...undoneData(dataDir)];
  removeAllCopies(dataDir);
  return names.length === 0 ? `nothing was kept in ${dataDir}\n` : `deleted: ${names.join(', ')}\n`;
}

/** Nothing else may start in the folder meanwhile. */
async function alone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const running = new RunningFile(dataDir);
  if (running.claim() !== undefined)
    throw new Error(`a system runs in ${dataDir} (DATA_DIR): stop it first (${ownCommand('stop')})`);
  try {
    return await work();
  } finally {
    running.release();
  }
}
