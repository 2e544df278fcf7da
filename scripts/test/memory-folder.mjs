// Where integration tests keep their files. Each of some 150 databases has a thousand files, and a disk needs a second of
// processor time to create so many where others were deleted just before.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'ringdown-tests-';
/** Several times what the tests use at once. */
const FREE_BYTES = 8_000_000_000;

/** Creates a temporary folder in memory and deletes it when this process exits. Undefined if too little memory is free. */
export function memoryFolder() {
  if (!existsSync(MEMORY)) return undefined;
  removeLeftovers();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(bavail * bsize, freemem()) < FREE_BYTES) return undefined;
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  // PostgreSQL, which does not run as root, has its files there, too.
  chmodSync(folder, 0o711);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  return folder;
}

/** Deletes the folders of runs that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY)) {
    const [pid] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-') : [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
