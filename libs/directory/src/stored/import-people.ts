import { randomUUID } from 'node:crypto';
import {
  addedMeanwhile,
  assertAdminsLeft,
  changedByOthers,
  mergedEntries,
  unknownUsername,
  type NotStored,
  type PutOptions,
} from '../people/people-editor.js';
import { parsePerson } from '../people/people-file-format.js';
import type { PersonEntry } from '../people/person.js';
import { isAddedBefore } from './address-owners.js';
import { inParallel } from './in-parallel.js';
import type { PeopleStore } from './people-store.js';
import { NO_UPDATE, TRIES, updatePerson, type PersonUpdate } from './person-update.js';
import { takeBack } from './take-back.js';

interface Import {
  /** Everybody before. */
  readonly all: readonly PersonEntry[];
  readonly entries: readonly PersonEntry[];
  readonly options: PutOptions;
}

/** Stores many people at once. Returns those who were not stored, with the reason. */
export async function importPeople(
  store: PeopleStore,
  { all, entries, options: { force, merge } }: Import,
): Promise<readonly NotStored[]> {
  const before = new Map(all.map((entry) => [entry.username, entry]));
  const { merged, notStored } = mergedEntries(entries, before, merge);
  if (!force) assertAdminsLeft(all, merged);
  const created = entries.filter(({ username }) => !before.has(username));
  const revisions = await store.createAll(randomUUID(), created);
  const updates = new Map<string, PersonUpdate>();
  if (merge !== undefined) {
    const changed = entries.filter(({ username }) => before.has(username));
    await inParallel(
      changed,
      async (entry) => void updates.set(entry.username, await replacePerson(store, entry, merge)),
    );
  }
  await store.catchUp();
  const late = new Set(created.filter(({ username }) => isAddedBefore(store.state, username, revisions)));
  const stored = merged.filter((entry) => !late.has(entry));
  const takenBack = await takeBack(store, { entries: stored, before, updates });
  await inParallel([...updates.values()], ({ end }) => end());
  return [...notStored, ...[...late].map(addedMeanwhile), ...takenBack];
}

async function replacePerson(
  store: PeopleStore,
  entry: PersonEntry,
  merge: Required<PutOptions>['merge'],
): Promise<PersonUpdate> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = store.state.get(entry.username);
    if (before === undefined) throw unknownUsername(entry.username);
    const after = parsePerson(merge(before.entry, entry), entry.username);
    if (JSON.stringify(parsePerson(before.entry, after.username)) === JSON.stringify(after)) return NO_UPDATE;
    const stored = await updatePerson(store, before, after);
    if (stored !== undefined) return stored;
    await store.catchUp();
  }
  throw changedByOthers(entry.username);
}
