import type { OtherPeople } from '../people/people-editor.js';
import { takenName, type PersonNames, type TakenName } from '../people/unique-names.js';
import type { StoredPeople } from './stored-people.js';

/** All people but one. */
export function othersIn(people: StoredPeople, except?: string): OtherPeople {
  return {
    has: (username) => username !== except && people.get(username) !== undefined,
    ownerOf: (name) => people.withName(name).find(({ entry }) => entry.username !== except)?.entry,
  };
}

/** Which name of a person another one got before; `former`: the name before a rename. */
export function takenBefore(people: StoredPeople, names: PersonNames, former = ''): TakenName | undefined {
  const own = people.get(names.username);
  if (own === undefined) return undefined;
  return takenName(names, (name) => {
    const others = people.withName(name).filter(({ entry }) => ![names.username, former].includes(entry.username));
    return others.find(({ revision }) => revision < own.revision)?.entry;
  });
}

/** Whether others have added the person before the import, whose revisions these are, by username. */
export function isAddedBefore(people: StoredPeople, username: string, revisions: ReadonlyMap<string, number>): boolean {
  const stored = people.get(username);
  return stored !== undefined && stored.revision < (revisions.get(username) ?? 0);
}
