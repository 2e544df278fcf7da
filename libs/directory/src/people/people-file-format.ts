import { canonicalName, isAddress } from './address.js';
import { PHONE_KINDS, ROLES, type PersonEntry, type PhoneKind, type Role } from './person.js';

/** What is wrong in a people file, as text for its author. */
export class PeopleFileError extends Error {
  override readonly name = 'PeopleFileError';
}

type Fields = Readonly<Record<string, unknown>>;

const SHOWN_PROBLEMS = 3;
const ARGON2ID = /^\$argon2id\$v=19\$m=\d{1,8},t=\d{1,4},p=\d{1,3}\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}$/;
const PHONE = /^\+\d{3,15}$/;
const KEYS = new Set(
  'username name sipAddress mail title department company office phones roles contacts passwordHash blocked signOuts'.split(
    ' ',
  ),
);

/**
 * Reads `{"people":[…]}`. Throws {@link PeopleFileError} with the first few problems and where they are. A contact may
 * be unknown: deleting an entry must not make the contact lists of others invalid.
 */
export function parsePeople(json: string): PersonEntry[] {
  const root = parseJson(json);
  if (!isObject(root) || !Array.isArray(root['people'])) {
    throw new PeopleFileError('must contain an object with a list "people"');
  }
  const extra = Object.keys(root).find((key) => key !== 'people');
  if (extra !== undefined) throw new PeopleFileError(`has an unknown key "${extra}"`);
  const list: readonly unknown[] = root['people'];
  const problems: string[] = [];
  const entries = list.flatMap((item, index) => {
    try {
      return [parsePerson(item, `people[${index}]`)];
    } catch (error) {
      if (!(error instanceof PeopleFileError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (problems.length === 0) problems.push(...duplicateNames(entries));
  if (problems.length > 0) throw new PeopleFileError(summary(problems));
  return entries;
}

export function formatPeople(people: readonly PersonEntry[]): string {
  return `${JSON.stringify({ people }, null, 2)}\n`;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch (cause) {
    // The parser's own message contains a piece of the file, and a people file contains hashes.
    throw new PeopleFileError('is not JSON', { cause });
  }
}

/** `at`: where the person is, for the message of the {@link PeopleFileError}. */
export function parsePerson(item: unknown, at: string): PersonEntry {
  if (!isObject(item)) throw new PeopleFileError(`${at} must be an object`);
  const extra = Object.keys(item).find((key) => !KEYS.has(key));
  if (extra !== undefined) throw new PeopleFileError(`${at} has an unknown key "${extra}"`);
  const hash = optionalText(item, 'passwordHash', at, 512);
  if (hash !== undefined && !ARGON2ID.test(hash)) {
    throw new PeopleFileError(`${at}.passwordHash must be an argon2id hash like $argon2id$v=19$m=…,t=…,p=…$salt$hash`);
  }
  return {
    username: parseAddress(requiredText(item, 'username', at), `${at}.username`),
    name: requiredText(item, 'name', at),
    sipAddress: sipAddress(requiredText(item, 'sipAddress', at), `${at}.sipAddress`),
    ...mailOf(item, at),
    ...parsePersonTexts(item, at),
    phones: phonesOf(item['phones'], `${at}.phones`),
    roles: parseRoles(item['roles'], `${at}.roles`),
    contacts: parseContacts(item['contacts'], `${at}.contacts`),
    ...(hash === undefined ? {} : { passwordHash: hash }),
    ...parseAccountState(item, at),
  };
}

function parseAccountState({ blocked, signOuts }: Fields, at: string): Pick<PersonEntry, 'blocked' | 'signOuts'> {
  if (blocked !== undefined && typeof blocked !== 'boolean') {
    throw new PeopleFileError(`${at}.blocked must be true or false`);
  }
  if (signOuts !== undefined && !(typeof signOuts === 'number' && Number.isSafeInteger(signOuts) && signOuts >= 0)) {
    throw new PeopleFileError(`${at}.signOuts must be a whole number`);
  }
  return {
    ...(blocked === true ? { blocked } : {}),
    ...(signOuts === undefined || signOuts === 0 ? {} : { signOuts }),
  };
}

/** A username or address in its stored form. */
export function parseAddress(value: string, at: string): string {
  const address = canonicalName(value);
  if (!isAddress(address)) throw new PeopleFileError(`${at} must look like user@example.test`);
  return address;
}

function sipAddress(value: string, at: string): string {
  if (!/^sip:/i.test(value)) throw new PeopleFileError(`${at} must start with "sip:"`);
  return `sip:${parseAddress(value.slice(4), at)}`;
}

function mailOf(item: Fields, at: string): { mail?: string } {
  const mail = optionalText(item, 'mail', at);
  if (mail === undefined) return {};
  parseAddress(mail, `${at}.mail`);
  return { mail };
}

function parsePersonTexts(item: Fields, at: string): Pick<PersonEntry, 'title' | 'department' | 'company' | 'office'> {
  const keys = ['title', 'department', 'company', 'office'] as const;
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = optionalText(item, key, at);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function phonesOf(value: unknown, at: string): Partial<Record<PhoneKind, string>> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new PeopleFileError(`${at} must be an object`);
  const phones: Partial<Record<PhoneKind, string>> = {};
  for (const [key, number] of Object.entries(value)) {
    const kind = PHONE_KINDS.find((candidate) => candidate === key);
    if (kind === undefined) throw new PeopleFileError(`${at} may hold ${PHONE_KINDS.join(', ')}, not "${key}"`);
    if (typeof number !== 'string' || !PHONE.test(number)) {
      throw new PeopleFileError(`${at}.${key} must be a number like +12025550100`);
    }
    phones[kind] = number;
  }
  return phones;
}

function parseRoles(value: unknown, at: string): Role[] {
  const roles = textList(value, at).map((text) => {
    const role = ROLES.find((candidate) => candidate === text);
    if (role === undefined) throw new PeopleFileError(`${at} may hold ${ROLES.join(', ')}, not "${text}"`);
    return role;
  });
  if (roles.length === 0) throw new PeopleFileError(`${at} must hold at least one of ${ROLES.join(', ')}`);
  return [...new Set(roles)];
}

function parseContacts(value: unknown, at: string): string[] {
  if (value === undefined) return [];
  return textList(value, at).map((text, index) => parseAddress(text, `${at}[${index}]`));
}

/** The entries without unknown contacts, and a line that names those; no line when all contacts are known. */
export function withKnownContacts(entries: readonly PersonEntry[]): { known: PersonEntry[]; skipped?: string } {
  const usernames = new Set(entries.map(({ username }) => username));
  const unknown: string[] = [];
  const known = entries.map((entry) => {
    const unknownContacts = entry.contacts.filter((contact) => !usernames.has(contact));
    if (unknownContacts.length === 0) return entry;
    unknown.push(...unknownContacts.map((contact) => `${entry.username} has the contact ${contact}`));
    return { ...entry, contacts: entry.contacts.filter((contact) => usernames.has(contact)) };
  });
  return unknown.length === 0 ? { known } : { known, skipped: summary(unknown) };
}

/** Conflicts between entries: names used twice. */
function duplicateNames(entries: readonly PersonEntry[]): string[] {
  const problems: string[] = [];
  const usernames = new Set<string>();
  const addresses = new Set<string>();
  for (const [index, { username, sipAddress }] of entries.entries()) {
    if (usernames.has(username)) problems.push(`people[${index}].username ${username} is used twice`);
    if (addresses.has(sipAddress)) problems.push(`people[${index}].sipAddress ${sipAddress} is used twice`);
    usernames.add(username);
    addresses.add(sipAddress);
  }
  return problems;
}

function requiredText(item: Fields, key: string, at: string): string {
  const value = optionalText(item, key, at);
  if (value === undefined) throw new PeopleFileError(`${at}.${key} is missing`);
  return value;
}

function optionalText(item: Fields, key: string, at: string, max = 256): string | undefined {
  const value = item[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '' || value.length > max || /\p{Cc}|\p{Cs}/u.test(value)) {
    throw new PeopleFileError(`${at}.${key} must be a text of 1 to ${max} characters on one line`);
  }
  return value;
}

function textList(value: unknown, at: string): string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new PeopleFileError(`${at} must be a list of texts`);
  }
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function summary(problems: readonly string[]): string {
  const more = problems.length - SHOWN_PROBLEMS;
  return problems.slice(0, SHOWN_PROBLEMS).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
