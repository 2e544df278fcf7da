import type { PersonEntry } from '../people/person.js';
import type { PeopleStore } from './people-store.js';
import type { StoredPerson } from './stored-people.js';

/** How often a change is made again when another writer was faster. */
export const TRIES = 20;

/** A change of a person that is stored; it ends when no other person is known to have the new names. */
export interface PersonUpdate {
  readonly undo: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export const NO_UPDATE: PersonUpdate = { undo: () => Promise.resolve(), end: () => Promise.resolve() };

/** Undefined if the person was changed since it was read. */
export async function updatePerson(
  store: PeopleStore,
  before: StoredPerson,
  after: PersonEntry,
): Promise<PersonUpdate | undefined> {
  const { entry } = before;
  const isMoved = after.sipAddress !== entry.sipAddress;
  const move = isMoved ? await store.beginAddressChange(entry, after) : undefined;
  if (isMoved && move === undefined) return undefined;
  if (!(await store.update(before, after))) {
    await move?.undo();
    return undefined;
  }
  const undo = async (): Promise<void> => {
    const current = store.state.get(entry.username);
    if (current !== undefined) await store.update(current, entry);
    await move?.undo();
  };
  return { undo, end: async () => move?.end() };
}
