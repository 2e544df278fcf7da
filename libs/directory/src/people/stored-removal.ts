import type { People } from './people.js';
import type { PersonNames } from './unique-names.js';
import { isNames } from './stored-rename.js';

/** The removal of a person, stored before it begins: services delete what they keep under the names of the person. */
export interface Removal {
  readonly person: PersonNames;
  /** When it began, milliseconds since 1970 by the clock of the bus. */
  readonly at: number;
  /** When the person was removed; undefined if the removal was interrupted. */
  readonly endedAt?: number;
}

const REMOVED = 'removed-';
/** Services that were down for longer than this do not notice the removal. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** The key of the removal of a person, by username. */
export function removalKey(username: string): string {
  return REMOVED + Buffer.from(username).toString('base64url');
}

/** Whether the person is not among the people any more; another one may have the name since. */
export function isRemoved({ person, endedAt }: Removal, people: People): boolean {
  return endedAt !== undefined || people.withUsername(person.username) === undefined;
}

export function isForgotten({ at }: Removal, now: number): boolean {
  return at + KEPT_MS < now;
}

/** Undefined for everything but a stored removal. */
export function parseRemoval(value: unknown): Removal | undefined {
  const { person, at, endedAt } = Object(value);
  if (!isNames(person) || typeof at !== 'number') return undefined;
  return { person, at, ...(typeof endedAt === 'number' ? { endedAt } : {}) };
}
