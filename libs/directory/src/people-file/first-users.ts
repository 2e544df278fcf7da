import { nodeErrorCode } from '@ringdown/errors';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePassword, hashPassword } from '../passwords/passwords.js';
import { writeSecretFile } from './people-file.js';
import { formatPeople, PeopleFileError } from '../people/people-file-format.js';
import type { PersonEntry, Role } from '../people/person.js';

/** An entry of `first-users.json`, for the person who installs the product. */
export interface FirstUser {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly Role[];
}

export interface FirstUsers {
  readonly peopleFile: string;
  readonly firstUsersFile: string;
  /** False when people existed already. */
  readonly created: boolean;
}

/** The last one is the first administrator. */
const firstPeople: readonly Pick<PersonEntry, 'username' | 'name' | 'title' | 'department' | 'phones' | 'roles'>[] = [
  person('alice', 'Alice Archer', 'Account Manager', 'Sales', '+12025550101', ['user']),
  person('bob', 'Bob Baker', 'Support Engineer', 'Customer Care', '+12025550102', ['user']),
  person('carol', 'Carol Cooper', 'Voice Operations', 'IT', '+12025550103', ['user', 'operator', 'reveal', 'admin']),
];

function person(
  ...[username, name, title, department, work, roles]: [string, string, string, string, string, Role[]]
): (typeof firstPeople)[number] {
  return { username, name, title, department, phones: { work }, roles };
}

export function peopleFileIn(dataDir: string): string {
  return join(dataDir, 'people.json');
}

/**
 * Creates `people.json` (hashes only) and `first-users.json` (passwords, for the person who installs) in the data
 * folder, both readable for their owner only. Existing files are never overwritten, so it may be called at every start
 * and by several processes; a start that was interrupted between the two files is completed with the passwords already
 * written.
 */
export async function ensureFirstUsers(dataDir: string, sipDomain: string): Promise<FirstUsers> {
  const files = { peopleFile: peopleFileIn(dataDir), firstUsersFile: join(dataDir, 'first-users.json') };
  if (await exists(files.peopleFile)) return { ...files, created: false };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const proposed = firstPeople.map(({ username, roles }) => ({
    username: `${username}@${sipDomain}`,
    password: generatePassword(),
    roles,
  }));
  await writeSecretFile(files.firstUsersFile, `${JSON.stringify(proposed, null, 2)}\n`, { replace: false });
  const written = await readFirstUsers(files.firstUsersFile);
  const people = await Promise.all(written.map((user) => entryFor(user, written)));
  const created = await writeSecretFile(files.peopleFile, formatPeople(people), { replace: false });
  return { ...files, created };
}

export async function readFirstUsers(file: string): Promise<FirstUser[]> {
  const problem = (cause: unknown): PeopleFileError =>
    new PeopleFileError(`${file} is not a list of users with passwords; delete it to create a new one`, { cause });
  let list: unknown;
  try {
    list = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw problem(error);
  }
  if (!Array.isArray(list) || !list.every((item) => isFirstUser(item))) throw problem(undefined);
  return list;
}

function isFirstUser(value: unknown): value is FirstUser {
  if (typeof value !== 'object' || value === null) return false;
  const { username, password, roles } = Object.fromEntries(Object.entries(value));
  return typeof username === 'string' && typeof password === 'string' && Array.isArray(roles);
}

async function entryFor(user: FirstUser, all: readonly FirstUser[]): Promise<PersonEntry> {
  const local = user.username.split('@', 1)[0] ?? user.username;
  const known = firstPeople.find(({ username }) => username === local);
  return {
    ...(known ?? { name: local, phones: {} }),
    username: user.username,
    sipAddress: `sip:${user.username}`,
    mail: user.username,
    roles: user.roles,
    contacts: all.map(({ username }) => username).filter((username) => username !== user.username),
    passwordHash: await hashPassword(user.password),
  };
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
