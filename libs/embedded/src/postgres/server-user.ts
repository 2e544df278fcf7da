import { spawnSync } from 'node:child_process';
import { existsSync, lchownSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
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

/** Of the server of a user who is not root. */
export interface Reach {
  /** The folder with everything. */
  readonly folder: string;
  /** Its files, or again the folder where there are none yet. */
  readonly present: string;
  readonly program: string;
}

interface Runner {
  /** Of this process. */
  readonly uid?: number | undefined;
  /** Of the files, if there are any: only this user, or a namespace in which it is mapped, may use them. */
  readonly owner?: Account | undefined;
  /** What that user must reach. */
  readonly reach?: Reach;
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
  reach,
  passwd = readPasswd(),
  isKnown = hasAccount(),
}: Runner = {}): ServerUser {
  if (uid === undefined) return CALLER;
  if (uid !== 0) return isKnown ? CALLER : unknownUser(uid, passwd);
  if (owner !== undefined && owner.uid !== 0 && reach !== undefined) return ownerServerUser(owner, reach);
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

/**
 * Root may start what another user has started before, whose files these stay. They say what the server loads and runs, so that it may
 * do no more than that user: enter folders of root only where the user cannot have put these files below them.
 */
function ownerServerUser(owner: Account, { folder, present, program }: Reach): ServerUser {
  const isRootInTheWay = [folder, program].every(isBelowRoot);
  const users = [withoutRights(owner), ...(isRootInTheWay ? [changedUser(owner)] : [])];
  // Not test(1), which asks without the rights of the process (access(2)).
  const reaches = ['sh', '-c', 'cd "$1" && exec < "$2"', 'sh', present, program];
  const user = users.find(({ prefix }) => runs([...prefix, ...reaches]));
  if (user !== undefined) return user;
  throw new Error(
    `the files of PostgreSQL belong to user ${owner.uid}, and root cannot run it as that user (setpriv of util-linux, CAP_SETUID, ` +
      'CAP_DAC_READ_SEARCH; the user must reach the files, and the packages of npm): start as that user, or give the files to root (chown -R)',
  );
}

/** Whether all folders around it are those of root. */
function isBelowRoot(path: string): boolean {
  let folder = dirname(realpathSync(path));
  for (; folder !== dirname(folder); folder = dirname(folder)) if (lstatSync(folder).uid !== 0) return false;
  return true;
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

/** Really another user. */
function withoutRights({ uid, gid }: Account): ServerUser {
  return {
    prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'],
    // Of a link only the link: who owns the folder around it may have made it.
    own: (folder) => lchownSync(folder, uid, gid),
  };
}

/** The same, who may still go through folders of root: the data folder may be below one. */
function changedUser(account: Account): ServerUser {
  const user = withoutRights(account);
  const mayEnter = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return { ...user, prefix: [...user.prefix.slice(0, -1), ...mayEnter, '--'] };
}
