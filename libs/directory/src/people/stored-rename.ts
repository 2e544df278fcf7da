import type { People } from './people.js';
import type { PersonNames } from './unique-names.js';

/**
 * A rename, or a change of only the SIP address, stored before it begins: one that was interrupted is finished when it is
 * run again, and services move what they keep under the old names.
 */
export interface Rename {
  readonly from: PersonNames;
  readonly to: PersonNames;
  /** When it began, milliseconds since 1970 by the clock of the bus. */
  readonly at: number;
  /** When the old name was removed; undefined if the rename was interrupted. */
  readonly endedAt?: number;
}

const RENAMED = 'renamed-';

/** The key of the rename of a person, by the old username. */
export function renameKey(username: string): string {
  return RENAMED + Buffer.from(username).toString('base64url');
}

const READDRESSED = 'readdressed-';

/** The key of a change of only the SIP address, by the old one: a person may have several. */
export function addressKey(sipAddress: string): string {
  return READDRESSED + Buffer.from(sipAddress).toString('base64url');
}

/** Whether the old name is not the name of the renamed person any more, and the person has not left since. */
export function isFinished(rename: Rename, people: People): boolean {
  return isGone(rename, people) && people.withUsername(rename.to.username) !== undefined;
}

/** Whether the old name is not the name of the renamed person any more; another person may have it since. */
export function isGone({ from, to, endedAt }: Rename, people: People): boolean {
  if (endedAt !== undefined) return true;
  const person = people.withUsername(from.username);
  return from.username === to.username ? person?.sipAddress === to.sipAddress : person === undefined;
}

/** Whether what was written at this time under the old name is of the renamed or removed person, and not of a later one. */
export function isBefore({ endedAt }: Pick<Rename, 'endedAt'>, writtenAt: number): boolean {
  return endedAt === undefined || writtenAt < endedAt;
}

/** The function that turns an address as it was written at this time into the one that the person has now. */
export function currentAddresses(
  { people, renames = [] }: { readonly people: People; readonly renames?: Iterable<Rename> | undefined },
  writtenAt: number,
): (uri: string) => string {
  // Also those to a name that the person has given up since, because the next rename follows.
  const since = [...renames].filter((rename) => isBefore(rename, writtenAt) && isGone(rename, people));
  const inOrder = since.toSorted((one, other) => one.at - other.at);
  return (uri) =>
    inOrder.reduce((address, { from, to }) => (address === from.sipAddress ? to.sipAddress : address), uri);
}

/** Undefined for everything but a stored rename. */
export function parseRename(value: unknown): Rename | undefined {
  const { from, to, at, endedAt } = Object(value);
  if (!isNames(from) || !isNames(to) || typeof at !== 'number') return undefined;
  return { from, to, at, ...(typeof endedAt === 'number' ? { endedAt } : {}) };
}

export function personNames({ username, sipAddress }: PersonNames): PersonNames {
  return { username, sipAddress };
}

export function isNames(value: unknown): value is PersonNames {
  const { username, sipAddress } = Object(value);
  return typeof username === 'string' && typeof sipAddress === 'string';
}
