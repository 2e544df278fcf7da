import { nodeErrorCode, errorReason } from '@ringdown/errors';
import { randomUUID } from 'node:crypto';
import { chown, link, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatPeople, parsePeople, PeopleFileError } from '../people/people-file-format.js';
import type { PersonEntry } from '../people/person.js';

/** Throws an Error with a one-line message that names the file. */
export async function readPeopleFile(file: string): Promise<PersonEntry[]> {
  const json = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new PeopleFileError(`the people file ${file} (PEOPLE_FILE) cannot be read: ${fileReason(cause)}`, { cause });
  });
  try {
    return parsePeople(json);
  } catch (cause) {
    throw new PeopleFileError(`the people file ${file} ${fileReason(cause)}`, { cause });
  }
}

/** Replaces the whole file at once: a reader sees the old people or the new ones, never a part of them. */
export async function writePeopleFile(file: string, people: readonly PersonEntry[]): Promise<void> {
  const checked = parsePeople(formatPeople(people));
  await writeSecretFile(file, formatPeople(checked), { replace: true });
}

/**
 * Writes a file that only its owner may read, through a temporary file beside it.
 * Without `replace` an existing file is not changed and the result is false.
 */
export async function writeSecretFile(
  file: string,
  content: string,
  { replace }: { replace: boolean },
): Promise<boolean> {
  const target = await realpath(file).catch(() => file);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await preserveOwner(target, temporary);
    if (replace) await rename(temporary, target);
    else await link(temporary, target);
    return true;
  } catch (error) {
    if (!replace && nodeErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** When root edits the file of a service that runs as another user, that service must still be able to read it. */
async function preserveOwner(target: string, temporary: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(target).catch(() => stat(dirname(target)));
  await chown(temporary, owner.uid, owner.gid);
}

const LOCK_TRIES = 50;
const LOCK_WAIT_MS = 100;

/** Runs `edit` while no other command edits the same file, and writes what it returns. */
export async function editPeopleFile(
  file: string,
  edit: (people: PersonEntry[]) => PersonEntry[] | Promise<PersonEntry[]>,
): Promise<void> {
  const lock = `${file}.lock`;
  await acquireLock(lock);
  try {
    await writePeopleFile(file, await edit(await readPeopleFile(file)));
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function acquireLock(lock: string): Promise<void> {
  for (let tries = 0; tries < LOCK_TRIES; tries++) {
    try {
      return await mkdir(lock);
    } catch (error) {
      if (nodeErrorCode(error) !== 'EEXIST') {
        throw new PeopleFileError(`the folder ${dirname(lock)} cannot be written: ${fileReason(error)}`, {
          cause: error,
        });
      }
    }
    await sleep(LOCK_WAIT_MS);
  }
  throw new PeopleFileError(`another command is editing the people file; if none is, delete ${lock}`);
}

function fileReason(error: unknown): string {
  switch (nodeErrorCode(error)) {
    case 'ENOENT':
      return 'it does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    default:
      return errorReason(error);
  }
}
