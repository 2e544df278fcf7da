import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync } from 'node:fs';
import { childEnvironment } from '../child-environment.js';

/** How programs of PostgreSQL are run: as root they refuse. */
export interface ServerUser {
  /** The arguments that a command begins with, before the program. */
  readonly prefix: readonly string[];
  /** Gives a folder to that user. */
  own(folder: string): void;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

const CALLER: ServerUser = { prefix: [], own: () => undefined };
/** Users of every system that own nothing. initdb looks its user up by number. */
const PREFERRED = ['daemon', 'nobody', 'bin'];

/** The user of this process; for root, another one. Throws an Error in one line if root can run nothing as another. */
export function serverUser(uid = process.getuid?.()): ServerUser {
  if (uid !== 0) return CALLER;
  const account = findAccount(readFileSync('/etc/passwd', 'utf8'));
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

function runs([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args, { env: childEnvironment(process.env) }).status === 0;
}

/** A user of a passwd file (passwd(5)) who is not root. */
export function findAccount(passwd: string): Account | undefined {
  const accounts = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  return accounts.find(({ name }) => PREFERRED.includes(name)) ?? accounts[0];
}

/** In a user namespace (user_namespaces(7)) root is called otherwise; files stay those of root. */
function mappedUser({ uid, gid }: Account): ServerUser {
  return { ...CALLER, prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'] };
}

/** Really another user, who may still go through folders of root: the data folder may be below one. */
function changedUser({ uid, gid }: Account): ServerUser {
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const mayEnter = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return {
    prefix: ['setpriv', ...ids, ...mayEnter, '--'],
    own: (folder) => chownSync(folder, uid, gid),
  };
}
