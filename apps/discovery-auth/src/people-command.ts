import {
  directorySettings,
  editPeopleFile,
  ensureFirstUsers,
  generatePassword,
  hashPassword,
  parseAddress,
  PeopleFileError,
  peopleFileOf,
  readPeopleFile,
  ROLES,
  writePeopleFile,
  type PersonEntry,
  type Role,
} from '@ringdown/directory';
import { reasonOf } from '@ringdown/errors';
import { readSettings, SettingsError, UsageError, type Environment, type SettingValues } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run people -- <command>

  list                              lists all people, one per line
  add USERNAME --name NAME          adds a person and prints a generated password, once
      [--role ROLE]...              operator reads calls; with reveal as well, their participants
      [--mail MAIL] [--sip sip:USER@DOMAIN] [--title TEXT] [--department TEXT]
      [--contact USERNAME]...
  set-password USERNAME             sets a new generated password and prints it, once
  ensure-first-users                creates alice, bob and carol in a folder without people
  --password-stdin                  with add and set-password: reads the password from the first line of the input

The file is PEOPLE_FILE, or DATA_DIR/people.json without it. A running server reads a change within two seconds.
`;

export interface CommandIo {
  readonly env: Environment;
  /** The whole standard input; read only with `--password-stdin`. */
  readInput(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
}

type Settings = SettingValues<typeof directorySettings>;

/** Runs one command. Returns the exit code: 0 done, 1 failed, 2 wrong command line or settings. */
export async function runPeopleCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const { command, username, options } = readCommandLine(argv);
    const settings = readSettings(directorySettings, io.env);
    if (settings.directoryUrls !== undefined) {
      throw new PeopleFileError(
        'DIRECTORY_URL is set: people and passwords are stored in that directory; change them there',
      );
    }
    await commands[command]({ username, options, settings, io });
    return 0;
  } catch (error) {
    if (error instanceof UsageError) io.err(`people: ${error.message}\n\n${USAGE}`);
    else io.err(`people: ${reasonOf(error)}\n`);
    return error instanceof UsageError || error instanceof SettingsError ? 2 : 1;
  }
}

interface Invocation {
  readonly username: string;
  readonly options: Options;
  readonly settings: Settings;
  readonly io: CommandIo;
}

const commands = { list, add, 'set-password': setPassword, 'ensure-first-users': firstUsers } as const;
type Command = keyof typeof commands;

interface Options {
  readonly name?: string;
  readonly role?: readonly string[];
  readonly mail?: string;
  readonly sip?: string;
  readonly title?: string;
  readonly department?: string;
  readonly contact?: readonly string[];
  readonly 'password-stdin'?: boolean;
}

function parseOptions(argv: readonly string[]): { positionals: readonly string[]; values: Options } {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      role: { type: 'string', multiple: true },
      mail: { type: 'string' },
      sip: { type: 'string' },
      title: { type: 'string' },
      department: { type: 'string' },
      contact: { type: 'string', multiple: true },
      'password-stdin': { type: 'boolean' },
    },
  });
}

function readCommandLine(argv: readonly string[]): { command: Command; username: string; options: Options } {
  let parsed: ReturnType<typeof parseOptions>;
  try {
    parsed = parseOptions(argv);
  } catch (error) {
    throw new UsageError(reasonOf(error), { cause: error });
  }
  const [name = '', username = '', ...rest] = parsed.positionals;
  const command = isCommand(name) ? name : undefined;
  if (command === undefined) throw new UsageError(name === '' ? 'no command given' : `unknown command "${name}"`);
  const needsUsername = command === 'add' || command === 'set-password';
  if (needsUsername === (username === '') || rest.length > 0) {
    throw new UsageError(`${command} expects ${needsUsername ? 'one username' : 'no username'}`);
  }
  return { command, username, options: parsed.values };
}

function isCommand(name: string): name is Command {
  return Object.hasOwn(commands, name);
}

async function list({ settings, io }: Invocation): Promise<void> {
  for (const { username, roles, name, passwordHash } of await readPeopleFile(existingFile(settings))) {
    io.out(`${username}\t${roles.join(',')}\t${name}${passwordHash === undefined ? '\t(no password)' : ''}\n`);
  }
}

async function add({ username, options, settings, io }: Invocation): Promise<void> {
  if (options.name === undefined) throw new UsageError('add needs --name');
  const password = await chosenPassword(options, io);
  const person: PersonEntry = {
    username: parseAddress(username, 'the username'),
    name: options.name,
    sipAddress: options.sip ?? `sip:${username}`,
    mail: options.mail ?? username,
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(options.department === undefined ? {} : { department: options.department }),
    phones: {},
    roles: rolesNamed(options.role ?? []),
    contacts: (options.contact ?? []).map((contact) => parseAddress(contact, 'a contact')),
    passwordHash: await hashPassword(password),
  };
  const file = settings.peopleFile;
  if (file !== undefined && !existsSync(file)) await writePeopleFile(file, withPerson([], person));
  else await editPeopleFile(existingFile(settings), (people) => withPerson(people, person));
  printPassword(io, person.username, password, options);
}

function withPerson(people: readonly PersonEntry[], person: PersonEntry): PersonEntry[] {
  if (people.some(({ username }) => username === person.username)) {
    throw new PeopleFileError(`${person.username} already exists; set-password sets a new password`);
  }
  const all = [...people, person];
  const unknown = person.contacts.find((contact) => !all.some(({ username }) => username === contact));
  if (unknown !== undefined) throw new PeopleFileError(`unknown username ${unknown}`);
  return all;
}

async function setPassword({ username, options, settings, io }: Invocation): Promise<void> {
  const canonical = parseAddress(username, 'the username');
  const password = await chosenPassword(options, io);
  const passwordHash = await hashPassword(password);
  await editPeopleFile(existingFile(settings), (people) => {
    if (!people.some((person) => person.username === canonical)) {
      throw new PeopleFileError(`unknown username ${canonical}`);
    }
    return people.map((person) => (person.username === canonical ? { ...person, passwordHash } : person));
  });
  printPassword(io, canonical, password, options);
}

async function firstUsers({ settings, io }: Invocation): Promise<void> {
  if (settings.peopleFile !== undefined) {
    throw new PeopleFileError('PEOPLE_FILE is set: first users are created only without it; use add');
  }
  const first = await ensureFirstUsers(settings.dataDir, settings.sipDomains[0] ?? 'example.test');
  if (first.created) io.out(`created the first users; their passwords are in ${first.firstUsersFile}\n`);
  else io.out(`${first.peopleFile} has people already\n`);
}

function existingFile(settings: Settings): string {
  const file = peopleFileOf(settings);
  if (existsSync(file)) return file;
  throw new PeopleFileError(
    `the people file ${file} does not exist yet; start the server once, or run ensure-first-users`,
  );
}

const MIN_LENGTH = 10;

async function chosenPassword(options: Options, io: CommandIo): Promise<string> {
  if (!options['password-stdin']) return generatePassword();
  const [line = ''] = (await io.readInput()).split(/\r?\n/, 1);
  if (line.length < MIN_LENGTH) throw new PeopleFileError(`the password must have at least ${MIN_LENGTH} characters`);
  return line;
}

function printPassword(io: CommandIo, username: string, password: string, options: Options): void {
  io.out(options['password-stdin'] ? `${username}: password set\n` : `${username}: password ${password}\n`);
}

function rolesNamed(names: readonly string[]): Role[] {
  const roles = names.map((name) => {
    const role = ROLES.find((candidate) => candidate === name);
    if (role === undefined) throw new UsageError(`--role is one of ${ROLES.join(', ')}, not "${name}"`);
    return role;
  });
  return [...new Set<Role>(['user', ...roles])];
}
