import { hasUnseenCharacter } from './address.js';
import { SIP } from './people.js';
import type { Person } from './person.js';

/** What identifies a person; both change together with a rename. */
export type PersonNames = Pick<Person, 'username' | 'sipAddress'>;

export interface TakenName {
  readonly field: keyof PersonNames;
  readonly reason: string;
}

/**
 * The names that only one person may have: the username, and the SIP address without its scheme if it differs. A person
 * is found by either, so that the SIP address of one person must not be the username of another.
 */
export function uniquePersonNames({ username, sipAddress }: PersonNames): readonly string[] {
  const address = sipAddress.slice(SIP.length);
  return address === username ? [username] : [username, address];
}

/** Which name of a person another one has. `ownerOf` finds that other person by any of the names. */
export function takenName(
  { username, sipAddress }: PersonNames,
  ownerOf: (name: string) => PersonNames | undefined,
): TakenName | undefined {
  const [named, addressed] = [ownerOf(username), ownerOf(sipAddress.slice(SIP.length))];
  if (named?.username === username) return { field: 'username', reason: `${username} already exists` };
  if (addressed?.sipAddress === sipAddress) {
    return { field: 'sipAddress', reason: `${sipAddress} is the SIP address of ${addressed.username}` };
  }
  if (named !== undefined) return { field: 'username', reason: `${username} is the SIP address of ${named.username}` };
  if (addressed === undefined) return undefined;
  return { field: 'sipAddress', reason: `${sipAddress} is the username of ${addressed.username}` };
}

/** Why a person must not get a name: it looks like another one. Names that the person had `before` stay. */
export function misleadingName(names: PersonNames, before?: PersonNames): string | undefined {
  const found = changedNames(names, before).find((name) => hasUnseenCharacter(name));
  return found === undefined ? undefined : `${found} has characters that cannot be seen`;
}

/**
 * Why a person must not get a name: no client would find the server by its domain. Names that the person had `before` stay.
 * @param domains - those of SIP_DOMAINS
 */
export function foreignName(names: PersonNames, domains: readonly string[], before?: PersonNames): string | undefined {
  const served = new Set(domains.map((domain) => domain.toLowerCase()));
  const found = changedNames(names, before).find((name) => !served.has(name.slice(name.lastIndexOf('@') + 1)));
  return found === undefined ? undefined : `the domain of ${found} is not served: SIP_DOMAINS is ${domains.join(',')}`;
}

function changedNames({ username, sipAddress }: PersonNames, before?: PersonNames): readonly string[] {
  return [username, sipAddress].filter((name) => name !== before?.username && name !== before?.sipAddress);
}

/** Of several people, the first whose names an earlier one has. */
export function firstTakenName(people: readonly PersonNames[]): TakenName | undefined {
  const owners = new Map<string, PersonNames>();
  for (const person of people) {
    const taken = takenName(person, (name) => owners.get(name));
    if (taken !== undefined) return taken;
    for (const name of uniquePersonNames(person)) owners.set(name, person);
  }
  return undefined;
}
