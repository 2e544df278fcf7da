import type { NotStored } from '../people/people-editor.js';
import type { PersonEntry } from '../people/person.js';
import { takenBefore } from './address-owners.js';
import type { PeopleStore } from './people-store.js';
import type { PersonUpdate } from './person-update.js';

/** Many people who were stored at once. */
export interface StoredAtOnce {
  readonly entries: readonly PersonEntry[];
  /** Everybody before, by username. */
  readonly before: ReadonlyMap<string, PersonEntry>;
  /** The changes of those who were there before, by username; those that are taken back are deleted. */
  readonly updates: Map<string, PersonUpdate>;
}

/**
 * People whose name another person got earlier are as before again: each writer has read all changes before its own by
 * now. Returns them with the reason.
 */
export async function takeBack(
  store: PeopleStore,
  { entries, before, updates }: StoredAtOnce,
): Promise<readonly NotStored[]> {
  const notStored: NotStored[] = [];
  for (const entry of entries) {
    const { username } = entry;
    if (before.get(username)?.sipAddress === entry.sipAddress) continue;
    const taken = takenBefore(store.state, entry);
    if (taken !== undefined) notStored.push({ username, reason: taken.reason });
  }
  for (const { username } of notStored) {
    await (updates.get(username)?.undo() ?? store.remove(username));
    updates.delete(username);
  }
  return notStored;
}
