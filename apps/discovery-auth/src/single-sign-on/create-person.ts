import { isMisleading, type Person, type PersonEntry } from '@ringdown/directory';
import type { PeopleEditor } from '@ringdown/directory/editing';
import { parsePerson, PeopleFileError } from '@ringdown/directory/people-file';

/** What a token of the provider says about a person who is new here. */
export interface NewPerson {
  /** A username in one of our domains. */
  readonly username: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const MAX_NAME_LENGTH = 256;

/**
 * Adds a person whom only the provider knows: without a password, with the role `user`. Sign-ins of the same person at the
 * same time add one person.
 */
export async function createPerson(editor: PeopleEditor, person: NewPerson): Promise<Person | undefined> {
  const entry = newPersonEntry(person);
  try {
    await editor.add(entry);
  } catch (error) {
    // Added meanwhile, or another person has this SIP address.
    if (!(error instanceof PeopleFileError)) throw error;
  }
  return editor.find(entry.username);
}

function newPersonEntry({ username, claims }: NewPerson): PersonEntry {
  if (isMisleading(username)) throw new PeopleFileError('the username has characters that cannot be seen');
  const mail = claims['email_verified'] === true ? claims['email'] : undefined;
  const bare = { username, name: nameIn(claims['name']) ?? username, sipAddress: `sip:${username}` };
  const entry = { ...bare, phones: {}, roles: ['user'], contacts: [] };
  try {
    return parsePerson({ ...entry, ...(typeof mail === 'string' ? { mail } : {}) }, username);
  } catch (error) {
    // An address that is not one of ours is left out.
    if (!(error instanceof PeopleFileError) || mail === undefined) throw error;
    return parsePerson(entry, username);
  }
}

/** By the rules for names that administrators enter; the username is shown instead of another one. */
function nameIn(claim: unknown): string | undefined {
  const name = typeof claim === 'string' ? claim.slice(0, MAX_NAME_LENGTH).toWellFormed().trim() : '';
  return name === '' || isMisleading(name) ? undefined : name;
}
