import { isMisleading, type PersonEntry, type PhoneKind, type Role } from '@ringdown/directory';
import { parsePerson, PeopleFileError } from '@ringdown/directory/people-file';
import { LeftOutIf, ReadAs, stacked } from '@ringdown/web-server/input';
import { IsDefined } from 'class-validator';

const BARE = { username: 'a@example.test', name: 'A', sipAddress: 'sip:a@example.test', roles: ['user'] };
const TEXT =
  'a text of 1 to 256 characters on one line, without characters that change its direction or cannot be seen';
const ADDRESS = 'an address like user@example.test';

/** A field of a person, by the rules of people files and imports. */
function PersonField(key: keyof PersonEntry, what: string): PropertyDecorator {
  return ReadAs(what, (value) => fieldIn(key, value));
}

function fieldIn(key: keyof PersonEntry, value: unknown): unknown {
  const given = typeof value === 'string' ? value.trim() : value;
  if (typeof given === 'string' && isMisleading(given)) return undefined;
  try {
    return parsePerson({ ...BARE, [key]: given }, 'person')[key];
  } catch (error) {
    if (error instanceof PeopleFileError) return undefined;
    throw error;
  }
}

/** Every person has the role `user`. */
const Roles = (): PropertyDecorator =>
  ReadAs('a list of user, operator, reveal, admin', (value) =>
    Array.isArray(value) ? fieldIn('roles', ['user', ...value]) : undefined,
  );

/** A text that is removed by an empty one. */
const OptionalField = (key: keyof PersonEntry, what: string): PropertyDecorator =>
  stacked(
    LeftOutIf((text) => text.trim() === ''),
    PersonField(key, what),
  );

const Flag = (): PropertyDecorator =>
  ReadAs('true or false', (value) => (typeof value === 'boolean' ? value : undefined));

/** All that an administrator decides about a person; what is left out is removed. */
export class PersonInput {
  @IsDefined({ message: 'username is missing' })
  @PersonField('username', ADDRESS)
  username!: string;

  @IsDefined({ message: 'name is missing' })
  @PersonField('name', TEXT)
  name!: string;

  @OptionalField('sipAddress', 'an address like sip:user@example.test')
  sipAddress?: string;

  @OptionalField('mail', ADDRESS)
  mail?: string;

  @OptionalField('title', TEXT)
  title?: string;

  @OptionalField('department', TEXT)
  department?: string;

  @OptionalField('company', TEXT)
  company?: string;

  @OptionalField('office', TEXT)
  office?: string;

  @PersonField('phones', 'an object with work, home, mobile or other, each a number like +12025550100')
  phones: Partial<Record<PhoneKind, string>> = {};

  @Roles()
  roles: readonly Role[] = ['user'];

  @PersonField('contacts', 'a list of usernames')
  contacts: readonly string[] = [];

  @Flag()
  blocked = false;
}

/** A person to add. */
export class NewPersonInput extends PersonInput {
  /** False for a person who signs in with single sign-on only, or not at all. */
  @Flag()
  withPassword = true;
}

/** The person with what an administrator has decided, and everything else as before. */
export function entryFrom(
  input: PersonInput,
  before: Pick<PersonEntry, 'passwordHash' | 'signOuts'> = {},
): PersonEntry {
  const { username, name, sipAddress, mail, title, department, company, office, phones, roles, contacts } = input;
  const entry = {
    username,
    name,
    sipAddress: sipAddress ?? `sip:${username}`,
    mail,
    title,
    department,
    company,
    office,
    phones,
    roles,
    contacts,
    passwordHash: before.passwordHash,
    blocked: input.blocked,
    signOuts: before.signOuts,
  };
  return parsePerson(entry, username);
}
