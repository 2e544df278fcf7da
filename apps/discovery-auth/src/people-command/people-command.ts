import type { PersonEntry } from '@ringdown/directory';
import { assertServed, PeopleConflict } from '@ringdown/directory/editing';
import {
  describePasswordRules,
  generatePassword,
  hashPassword,
  passwordProblem,
  passwordSettings,
  readPasswordRules,
  withNewPassword,
  withSessionsEnded,
} from '@ringdown/directory/passwords';
import { ensureFirstUsers, parseAddress, PeopleFileError } from '@ringdown/directory/people-file';
import { errorReason } from '@ringdown/errors';
import { readSettings, SettingsError, UsageError } from '@ringdown/settings';
import { readCommandLine, rolesNamed, USAGE, type Command, type Options } from './command-line.js';
import { wantedPeople } from './wanted-people.js';
import { openEditor } from './open-editor.js';
import { exportPeople, importFile, LinesRejected } from './import-command.js';
import { commandSettings, type CommandIo, type CommandSettings, type Invocation, type Prepared } from './invocation.js';
import { assertChangesSomething, contactsNamed, edited } from './people-edits.js';

/** Runs one command. Returns the exit code, as in the usage. */
export async function runPeopleCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const line = readCommandLine(argv);
    if (line === undefined) {
      io.out(USAGE + passwordHelp(io));
      return 0;
    }
    const settings = readSettings(commandSettings, io.env);
    if (line.command === 'ensure-first-users') await firstUsers(settings, io);
    else await runWithEditor(line.command, { ...line, settings, io });
    return 0;
  } catch (error) {
    if (error instanceof LinesRejected) return 3;
    if (error instanceof UsageError) io.err(`people: ${error.message}\n\n${USAGE}`);
    else io.err(`people: ${errorReason(error)}\n`);
    const isForeign = error instanceof PeopleConflict && error.kind === 'foreign-domain';
    return isForeign || error instanceof UsageError || error instanceof SettingsError ? 2 : 1;
  }
}

/** The rules before they are broken. */
function passwordHelp({ env }: CommandIo): string {
  const { passwordMinLength: minLength } = readSettings(passwordSettings, env);
  const rules = describePasswordRules({ minLength }).map(({ text }) => `  - ${text}\n`);
  return `\nA new password\n${rules.join('')}`;
}

const commands: Readonly<
  Record<Exclude<Command, 'ensure-first-users'>, (of: Invocation) => Prepared | Promise<Prepared>>
> = {
  list,
  add,
  set,
  'set-password': setPassword,
  'set-role': (of) => {
    const roles = rolesNamed(of.options.role ?? []);
    return change(of, (entry) => ({ ...entry, roles }));
  },
  rename,
  'set-contacts': setContacts,
  block: (of) => change(of, (entry) => ({ ...entry, blocked: true })),
  unblock: (of) => change(of, ({ blocked: _blocked, ...entry }) => entry),
  'sign-out': (of) => change(of, withSessionsEnded),
  unbind,
  remove,
  import: importFile,
  export: exportPeople,
};

async function runWithEditor(command: Exclude<Command, 'ensure-first-users'>, of: Invocation): Promise<void> {
  const run = await commands[command](of);
  const onNoAudit = (reason: string): void =>
    of.io.err(`people: the change is not in the log of a server: ${reason}\n`);
  const people = await openEditor(of.settings, { create: command === 'add', wanted: wantedPeople(of), onNoAudit });
  try {
    await run(people);
  } finally {
    await people.close();
  }
}

function list({ io }: Invocation): Prepared {
  return async (people) => {
    for (const { username, roles, name, passwordHash, blocked } of await people.list()) {
      const state = blocked ? '\t(blocked)' : passwordHash === undefined ? '\t(no password)' : '';
      io.out(`${username}\t${roles.join(',')}\t${name}${state}\n`);
    }
  };
}

async function add(of: Invocation): Promise<Prepared> {
  const { username, options, settings, io } = of;
  const { name } = options;
  if (name === undefined) throw new UsageError('add needs --name');
  const roles = rolesNamed(options.role ?? []);
  const canonical = parseAddress(username, 'the username');
  const bare: PersonEntry = {
    username: canonical,
    name,
    sipAddress: options.sip ?? `sip:${canonical}`,
    mail: canonical,
    phones: {},
    roles,
    contacts: contactsNamed(options),
  };
  const person = edited(bare, options);
  assertServed(person, settings.sipDomains);
  const { password, assertAllowed } = await chosenPassword(of);
  assertAllowed(person);
  return async (people) => {
    await people.add({ ...person, passwordHash: await hashPassword(password) });
    printPassword(io, canonical, password, options);
  };
}

function set(of: Invocation): Prepared {
  assertChangesSomething(of.options);
  return change(of, (entry) => edited(entry, of.options));
}

async function setPassword(of: Invocation): Promise<Prepared> {
  const { username, options, io } = of;
  const canonical = parseAddress(username, 'the username');
  const { password, assertAllowed } = await chosenPassword(of);
  const passwordHash = await hashPassword(password);
  return async (people) => {
    await people.change(canonical, (entry) => {
      assertAllowed(entry);
      return withNewPassword(entry, passwordHash);
    });
    printPassword(io, canonical, password, options);
  };
}

function rename(of: Invocation): Prepared {
  const username = parseAddress(of.newUsername, 'the new username');
  const sipAddress = of.options.sip ?? `sip:${username}`;
  return change(of, (entry) => {
    assertServed({ username, sipAddress }, of.settings.sipDomains, entry);
    return { ...entry, username, sipAddress };
  });
}

function setContacts(of: Invocation): Prepared {
  const contacts = contactsNamed(of.options);
  return async (people) => {
    const usernames = new Set((await people.list()).map(({ username }) => username));
    const unknown = contacts.find((contact) => !usernames.has(contact));
    if (unknown !== undefined) throw new PeopleFileError(`unknown username ${unknown}`);
    await change(of, (entry) => ({ ...entry, contacts }))(people);
  };
}

function unbind({ username, io }: Invocation): Prepared {
  const canonical = parseAddress(username, 'the username');
  return async (people) => {
    await people.unbind(canonical);
    await people.change(canonical, withSessionsEnded);
    io.out(`${canonical}: bound to no account any more\n`);
  };
}

function remove({ username, options, io }: Invocation): Prepared {
  const canonical = parseAddress(username, 'the username');
  return async (people) => {
    await people.remove(canonical, options);
    io.out(`${canonical}: removed\n`);
  };
}

function change({ username, options, io }: Invocation, edit: (entry: PersonEntry) => PersonEntry): Prepared {
  const canonical = parseAddress(username, 'the username');
  return async (people) => {
    await people.change(canonical, edit, options);
    io.out(`${canonical}: changed\n`);
  };
}

async function firstUsers(settings: CommandSettings, io: CommandIo): Promise<void> {
  if (settings.peopleFile !== undefined) {
    throw new PeopleFileError('PEOPLE_FILE is set: first users are created only without it; use add');
  }
  const first = await ensureFirstUsers(settings.dataDir, settings.sipDomains[0] ?? 'example.test');
  if (first.created) io.out(`created the first users; their passwords are in ${first.firstUsersFile}\n`);
  else io.out(`${first.peopleFile} has people already\n`);
}

/** A new password, and the check whether its owner may choose it; a generated one needs none. */
interface NewPassword {
  readonly password: string;
  readonly assertAllowed: (owner: PersonEntry) => void;
}

async function chosenPassword({ options, settings, io }: Invocation): Promise<NewPassword> {
  if (!options['password-stdin']) return { password: generatePassword(), assertAllowed: () => undefined };
  const [password = ''] = (await io.readInput()).split(/\r?\n/, 1);
  const rules = await readPasswordRules(settings);
  return {
    password,
    assertAllowed: (owner) => {
      const problem = passwordProblem(password, owner, rules);
      if (problem !== undefined) throw new PeopleFileError(`the password ${problem.text}`);
    },
  };
}

function printPassword(io: CommandIo, username: string, password: string, options: Options): void {
  io.out(options['password-stdin'] ? `${username}: password set\n` : `${username}: password ${password}\n`);
}
