import type { PersonEntry } from '@ringdown/directory';
import type { PeopleEditor } from '@ringdown/directory/editing';
import { hashPassword, withNewPassword } from '@ringdown/directory/passwords';
import { availableParallelism } from 'node:os';
import { boundedLines } from './bounded-lines.js';
import { checkedImport, type ImportRules } from './import-check.js';
import { lineReader, type Format, type ImportedPerson, type RejectedLine } from './people-formats.js';

export interface ImportOptions extends ImportRules {
  readonly format: Format;
  readonly allOrNothing: boolean;
  readonly force: boolean;
  /** Called some times while passwords are hashed, and when all are. */
  readonly onProgress: (hashed: number, all: number) => void;
  /** How often, milliseconds. */
  readonly progressMs?: number;
}

export interface ImportResult {
  readonly stored: number;
  readonly rejected: readonly RejectedLine[];
}

const PROGRESS_MS = 2_000;

/** Stores the people of a file; lines that cannot be stored are listed, by their number. */
export async function importPeople(
  people: PeopleEditor,
  file: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportResult> {
  const reader = lineReader(options.format);
  const imported: ImportedPerson[] = [];
  const unreadable: RejectedLine[] = [];
  for await (const line of boundedLines(file)) {
    const read = reader.read(line);
    if (read === undefined) continue;
    if ('entry' in read) imported.push(read);
    else unreadable.push(read);
    if (!reader.canReadOn) return { stored: 0, rejected: unreadable };
  }
  const { accepted, rejected } = checkedImport(imported, await people.list(), options);
  const all = inOrder([...unreadable, ...rejected]);
  if (options.allOrNothing && all.length > 0) return { stored: 0, rejected: all };
  const hashed = (await withHashes(accepted, options)).map(withoutSignOuts);
  const { force, update } = options;
  const notStored = await people.putAll(hashed, update ? { force, merge } : { force });
  const lines = new Map(accepted.map(({ entry, line }) => [entry.username, line]));
  const late = notStored.map(({ username, reason }) => ({ line: lines.get(username) ?? 0, reason }));
  return { stored: hashed.length - late.length, rejected: inOrder([...all, ...late]) };
}

function inOrder(rejected: readonly RejectedLine[]): readonly RejectedLine[] {
  return rejected.toSorted((one, other) => one.line - other.line);
}

/**
 * Without a new password, the old one stays: that of the moment of the write, because hashing takes minutes. The hash of
 * the present password, as of an export, is not a new one.
 */
function merge(current: PersonEntry, entry: PersonEntry): PersonEntry {
  const { signOuts, passwordHash: before } = current;
  const same = {
    ...entry,
    ...(signOuts === undefined ? {} : { signOuts }),
    ...(before === undefined ? {} : { passwordHash: before }),
  };
  const { passwordHash } = entry;
  return passwordHash === undefined || passwordHash === before ? same : withNewPassword(same, passwordHash);
}

/** Counted on the server, not in the file. */
function withoutSignOuts({ signOuts: _signOuts, ...entry }: PersonEntry): PersonEntry {
  return entry;
}

/** As fast as the hash allows: one at a time for each core. */
async function withHashes(
  accepted: readonly ImportedPerson[],
  { onProgress, progressMs = PROGRESS_MS }: ImportOptions,
): Promise<PersonEntry[]> {
  const all = accepted.filter(({ password }) => password !== undefined).length;
  const entries = accepted.map(({ entry }) => entry);
  const queue = accepted.entries();
  let hashed = 0;
  const progress = setInterval(() => onProgress(hashed, all), progressMs);
  const work = async (): Promise<void> => {
    for (const [index, { entry, password }] of queue) {
      if (password === undefined) continue;
      entries[index] = { ...entry, passwordHash: await hashPassword(password) };
      hashed++;
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    clearInterval(progress);
  }
  if (all > 0) onProgress(hashed, all);
  return entries;
}
