import type { OtherPeople } from '../people-editor.js';
import type { StoredPeople } from './stored-people.js';

/** All people but one. */
export function othersIn(people: StoredPeople, except?: string): OtherPeople {
  return {
    has: (username) => username !== except && people.get(username) !== undefined,
    ownerOf: (sipAddress) =>
      people.withAddress(sipAddress).find(({ entry }) => entry.username !== except)?.entry.username,
  };
}

/** Another person who got the address before this one; `former`: the name before a rename. */
export function earlierOwner(
  people: StoredPeople,
  username: string,
  sipAddress: string,
  former = '',
): string | undefined {
  const own = people.get(username);
  if (own === undefined) return undefined;
  const others = people.withAddress(sipAddress).filter(({ entry }) => ![username, former].includes(entry.username));
  return others.find(({ revision }) => revision < own.revision)?.entry.username;
}
