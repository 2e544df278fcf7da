import { PHONE_KINDS, ROLES, type PhoneKind, type Role } from '@ringdown/directory';
import { errorReason } from '@ringdown/errors';
import { ownCommand, UsageError } from '@ringdown/settings';
import { parseArgs } from 'node:util';

export const USAGE = `Usage: ${ownCommand('people', '<command>')}

  list                              lists all people, one per line
  add USERNAME --name NAME          adds a person and prints a generated password, once
      [--role ROLE]... [--sip sip:USER@DOMAIN] [--contact USERNAME]... and the options of set
  set USERNAME                      changes what is given; an empty text removes it
      [--name NAME] [--mail MAIL] [--title TEXT] [--department TEXT] [--company TEXT] [--office TEXT]
      [--phone KIND=NUMBER]...      KIND is work, home, mobile or other; KIND= removes the number
  set-password USERNAME             sets a new generated password and prints it, once; ends all sessions
  set-role USERNAME [--role ROLE]... sets exactly these roles: operator reads calls; with reveal as well, their
                                    participants; admin changes people. Takes effect without a new sign-in
  rename USERNAME NEW-USERNAME      changes username and SIP address; ends all sessions
      [--sip sip:USER@DOMAIN]       the new SIP address, if it differs from the username
  set-contacts USERNAME [--contact USERNAME]...   sets exactly these contacts
  block USERNAME                    rejects sign-ins and ends all sessions, until unblock
  unblock USERNAME
  sign-out USERNAME                 ends all sessions
  unbind USERNAME                   ends the binding to an account of the sign-in provider, and all sessions: the next
                                    account there that names the person is bound
  remove USERNAME                   removes the person and ends all sessions
  import FILE [--format csv|json]   adds the people of a file, of the standard input if FILE is -; each line that is
                                    rejected is listed with its number
      [--update]                    changes people who exist, instead of rejecting their lines
      [--all-or-nothing]            changes nothing if a line is rejected
  export [--format csv|json]        prints all people, one per line, in the form that import reads
      [--with-hashes]               with the hashes of their passwords: keep the output secret
  ensure-first-users                creates alice, bob and carol in a data folder without people
  --password-stdin                  with add and set-password: reads the password from the first line of the input
  --force                           changes the last administrator nevertheless
  --help                            prints this text

People are on the message bus of the running server (NATS_URL, or that of DATA_DIR), or in PEOPLE_FILE if that is
set. A change takes effect within two seconds. Exit codes: 0 done, 1 failed, 2 wrong command line or settings,
3 import has rejected some lines and stored the others. docs/guides/people.md describes the files.
`;

/** The number of usernames that each command expects. */
const COMMANDS = {
  list: 0,
  add: 1,
  set: 1,
  'set-password': 1,
  'set-role': 1,
  rename: 2,
  'set-contacts': 1,
  block: 1,
  unblock: 1,
  'sign-out': 1,
  unbind: 1,
  remove: 1,
  import: 1,
  export: 0,
  'ensure-first-users': 0,
} as const;
export type Command = keyof typeof COMMANDS;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

const OPTIONS = {
  name: text,
  role: texts,
  mail: text,
  sip: text,
  title: text,
  department: text,
  company: text,
  office: text,
  phone: texts,
  contact: texts,
  format: text,
  update: flag,
  'all-or-nothing': flag,
  'with-hashes': flag,
  'password-stdin': flag,
  force: flag,
  help: flag,
} as const;

type Parsed = ReturnType<typeof parseArgs<{ allowPositionals: true; options: typeof OPTIONS }>>;
export type Options = Parsed['values'];

function parseOptions(argv: readonly string[]): Parsed {
  return parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS });
}

export interface CommandLine {
  readonly command: Command;
  readonly username: string;
  readonly newUsername: string;
  readonly options: Options;
}

/** Undefined when the usage was requested. Throws {@link UsageError}. */
export function readCommandLine(argv: readonly string[]): CommandLine | undefined {
  let parsed: Parsed;
  try {
    parsed = parseOptions(argv);
  } catch (error) {
    throw new UsageError(errorReason(error), { cause: error });
  }
  if (parsed.values.help) return undefined;
  const [name = '', ...usernames] = parsed.positionals;
  if (!isCommand(name)) throw new UsageError(name === '' ? 'no command given' : `unknown command "${name}"`);
  const count = COMMANDS[name];
  const expected =
    name === 'import' ? 'one file' : ['no username', 'one username', 'the old and the new username'][count];
  if (usernames.length !== count || usernames.includes('')) {
    throw new UsageError(`${name} expects ${expected}`);
  }
  const [username = '', newUsername = ''] = usernames;
  return { command: name, username, newUsername, options: parsed.values };
}

function isCommand(name: string): name is Command {
  return Object.hasOwn(COMMANDS, name);
}

export function rolesNamed(names: readonly string[]): Role[] {
  const roles = names.map((name) => {
    const role = ROLES.find((candidate) => candidate === name);
    if (role === undefined) throw new UsageError(`--role is one of ${ROLES.join(', ')}, not "${name}"`);
    return role;
  });
  return [...new Set<Role>(['user', ...roles])];
}

/** An empty number removes the number of its kind. */
export function phonesNamed(texts: readonly string[]): [PhoneKind, string][] {
  return texts.map((each) => {
    const at = each.indexOf('=');
    const kind = PHONE_KINDS.find((candidate) => candidate === each.slice(0, at));
    if (kind === undefined)
      throw new UsageError(`--phone is ${PHONE_KINDS.join(', ')}, "=" and a number, not "${each}"`);
    return [kind, each.slice(at + 1)];
  });
}
