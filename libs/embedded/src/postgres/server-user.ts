import { spawnSync } from 'node:child_process';
import { existsSync, lchownSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { childEnvironment } from '../child-environment.js';

/** How programs of PostgreSQL are run: as root they refuse. */
export interface ServerUser {
  /** The arguments that a command begins with, before the program. */
  readonly prefix: readonly string[];
  /** Gives a folder to that user. */
  own(folder: string): void;
}

/** A command as `spawn` takes it. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

const CALLER: ServerUser = { prefix: [], own: () => undefined };
/** Users of every system that own nothing. initdb looks its user up by number. */
const PREFERRED = ['daemon', 'nobody', 'bin'];

interface Runner {
  /** Of this process. */
  readonly uid?: number | undefined;
  /** Of the files, if there are any: only this user, or a namespace in which it is mapped, may use them. */
  readonly owner?: Account | undefined;
  /** Content of `/etc/passwd`. */
  readonly passwd?: string;
  /** Whether the system knows the user of this process: also of another source than that file (nsswitch.conf(5)). */
  readonly isKnown?: boolean;
}

/**
 * The user of this process if it may be: not root, and known, because initdb looks it up. Otherwise another one. Throws an Error in one line if nothing can
 * be run as another.
 */
export function serverUser({
  uid = process.getuid?.(),
  owner,
  passwd = readPasswd(),
  isKnown = hasAccount(),
}: Runner = {}): ServerUser {
  if (uid === undefined) return CALLER;
  if (uid !== 0) return isKnown ? CALLER : unknownUser(uid, passwd);
  if (owner !== undefined && owner.uid !== 0) return ownerOf(owner);
  const account = findAccount(passwd);
  const users = account === undefined ? [] : [mappedUser(account), changedUser(account)];
  const user = users.find(({ prefix }) => runs([...prefix, 'true']));
  if (user !== undefined) return user;
  throw new Error(
    account === undefined
      ? 'PostgreSQL does not run as root, and /etc/passwd has no other user: set DATABASE_URL, or start as another user'
      : 'PostgreSQL does not run as root, and neither unshare (user namespaces) nor setpriv (CAP_SETUID, CAP_DAC_READ_SEARCH), ' +
          'both of util-linux, work here: start as another user, allow one of them, or set DATABASE_URL',
  );
}

/**
 * Runs a program as that user. Only the program gets the variables: what changes the user is run by root, whose loader must not
 * look for libraries in a folder of ours.
 */
export function commandAs(
  { prefix }: ServerUser,
  program: string,
  variables: Readonly<Record<string, string>>,
): Command {
  const [command, ...before] = prefix;
  if (command === undefined) return { command: program, args: [], env: variables };
  // env(1) would take a program for a variable whose path contains an equals sign.
  const exports = Object.keys(variables).map((name) => `export ${name}="$1"; shift; `);
  const script = `${exports.join('')}exec "$@"`;
  return { command, args: [...before, 'sh', '-c', script, 'sh', ...Object.values(variables), program], env: {} };
}

function readPasswd(): string {
  return existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
}

/** Root may start what another user has started before, whose files these stay. */
function ownerOf(owner: Account): ServerUser {
  const user = changedUser(owner);
  if (runs([...user.prefix, 'true'])) return user;
  throw new Error(
    `the files of PostgreSQL belong to user ${owner.uid}, and root cannot run it as that user (setpriv of util-linux, CAP_SETUID, ` +
      'CAP_DAC_READ_SEARCH): start as that user, or give the files to root (chown -R)',
  );
}

/** Not every container has an entry for the user that it is run as. */
function unknownUser(uid: number, passwd: string): ServerUser {
  const account = findAccount(passwd);
  const mapped = account && mappedUser(account);
  if (mapped !== undefined && runs([...mapped.prefix, 'true'])) return mapped;
  throw new Error(
    `PostgreSQL does not run as user ${uid}, which /etc/passwd does not have, and unshare (user namespaces, of util-linux) does not work here: ` +
      'add the user, start as another one, or set DATABASE_URL',
  );
}

function runs([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args, { env: childEnvironment(process.env) }).status === 0;
}

/** A user of a passwd file (passwd(5)) who is not root. */
export function findAccount(passwd: string): Account | undefined {
  const accounts = accountsIn(passwd).filter(({ uid, gid }) => uid > 0 && gid > 0);
  return accounts.find(({ name }) => PREFERRED.includes(name)) ?? accounts[0];
}

function hasAccount(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

function accountsIn(passwd: string): readonly (Account & { readonly name: string })[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

/** In a user namespace (user_namespaces(7)) the caller has another number; files stay those of the caller. */
function mappedUser({ uid, gid }: Account): ServerUser {
  return { ...CALLER, prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'] };
}

/** Really another user, who may still go through folders of root: the data folder may be below one. */
function changedUser({ uid, gid }: Account): ServerUser {
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const mayEnter = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return {
    prefix: ['setpriv', ...ids, ...mayEnter, '--'],
    // Of a link only the link: who owns the folder around it may have made it.
    own: (folder) => lchownSync(folder, uid, gid),
  };
}
