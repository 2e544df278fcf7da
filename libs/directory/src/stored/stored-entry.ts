import { errorReason } from '@ringdown/errors';
import { parsePerson } from '../people/people-file-format.js';
import type { PersonEntry } from '../people/person.js';
import { parseIdentity, type Identity } from './stored-identity.js';
import { parseRemoval, type Removal } from '../people/stored-removal.js';
import { parseRename, type Rename } from '../people/stored-rename.js';

/** The value of a key of the bucket: one person, or the first state of several who were imported together. */
export interface StoredEntry {
  readonly people: readonly PersonEntry[];
  /** In the key of a rename, which has no people: earlier versions read it as an empty list. */
  readonly rename?: Rename;
  /** The same in the key of a removal. */
  readonly removal?: Removal;
  /** The same in the keys of an account at a sign-in provider. */
  readonly identity?: Identity;
  /** Usernames of people who were not read: they are not wanted. */
  readonly skipped?: readonly string[];
  /** Of people who are ignored, because another version has written them. */
  readonly problems?: readonly string[];
}

export const BUCKET = 'PEOPLE';
/** Written when the first people are in the bucket: before that, no person is known. */
export const STARTED_KEY = 'started';
/** Exists while an editor renames or removes a person; has no people. */
export const LOCK_KEY = 'lock';
const PERSON = 'person-';
const IMPORT = 'import-';

export function personKey(username: string): string {
  return PERSON + Buffer.from(username).toString('base64url');
}

/** Undefined for a key of several people. */
export function usernameIn(key: string): string | undefined {
  return key.startsWith(PERSON) ? Buffer.from(key.slice(PERSON.length), 'base64url').toString() : undefined;
}

/** `name` must be new, or nothing is stored. */
export function importKey(name: string): string {
  return IMPORT + name;
}

/** Selects people by what is stored of them, before they are checked. */
export type Wanted = (stored: Readonly<Record<string, unknown>>) => boolean;

/** Throws for a value of an unknown form; a person of an unknown form is only a problem. */
export function parseStoredEntry(value: unknown, wanted?: Wanted): StoredEntry {
  const { people, rename: storedRename, removal: storedRemoval, identity: storedIdentity } = Object(value);
  const [rename, removal] = [parseRename(storedRename), parseRemoval(storedRemoval)];
  const identity = parseIdentity(storedIdentity);
  if (!Array.isArray(people)) throw new Error('a stored list of people has an unknown format');
  const problems: string[] = [];
  const skipped: string[] = [];
  const read = people.flatMap((item: unknown, index) => {
    const stored: Readonly<Record<string, unknown>> = Object(item);
    if (wanted?.(stored) === false) {
      skipped.push(String(stored['username']));
      return [];
    }
    try {
      return [parsePerson(item, `people[${index}]`)];
    } catch (error) {
      problems.push(errorReason(error));
      return [];
    }
  });
  return {
    people: read,
    ...(rename === undefined ? {} : { rename }),
    ...(removal === undefined ? {} : { removal }),
    ...(identity === undefined ? {} : { identity }),
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}
