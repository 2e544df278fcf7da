import { errorReason } from '@ringdown/errors';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../child-environment.js';
import { SUPERUSER, type PostgresHome } from './postgres-home.js';
import { endInitdbIn } from './postgres-leftovers.js';
import { commandAs, type Command, type ServerUser } from './server-user.js';

export interface ClusterOptions {
  readonly home: PostgresHome;
  readonly native: string;
  readonly user: ServerUser;
  /** With which its programs find their libraries. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether the files are on disk when this resolves. */
  readonly sync: boolean;
}

/**
 * Sorts by code, as every machine does, and knows all letters. The locale of the machine is asked for those only by the
 * indexes of texts, which find no umlaut in the locale `C`.
 */
const LOCALE = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  ...(process.platform === 'linux' ? ['--lc-ctype=C.UTF-8'] : []),
  ...(process.platform === 'darwin' ? ['--lc-ctype=en_US.UTF-8'] : []),
];

/** Our passwords are random numbers of 192 bits: hashing one many times would only make each connection slower. */
const PASSWORDS = ['--set', 'scram_iterations=64'];

/** Makes the files of a PostgreSQL without databases of ours, unless they are there. What a killed run began is made anew. */
export async function makeCluster({ home, native, user, variables, sync }: ClusterOptions): Promise<void> {
  if (existsSync(home.data)) return;
  home.passwordOf(SUPERUSER);
  // initdb reads it.
  user.own(home.passwordFile(SUPERUSER));
  await endInitdbIn(home.making);
  rmSync(home.making, { recursive: true, force: true });
  mkdirSync(home.making, { mode: 0o700 });
  user.own(home.making);
  const access = [`--username=${SUPERUSER}`, `--pwfile=${home.passwordFile(SUPERUSER)}`, '--auth=scram-sha-256'];
  const files = [
    '--pgdata',
    home.making,
    '--data-checksums',
    '--no-instructions',
    ...PASSWORDS,
    ...(sync ? [] : ['--no-sync']),
  ];
  const initdb = commandAs(user, join(native, 'bin', 'initdb'), variables);
  await run({ ...initdb, args: [...initdb.args, ...access, ...LOCALE, ...files] }, home.folder);
  renameSync(home.making, home.data);
}

async function run({ command, args, env }: Command, cwd: string): Promise<void> {
  try {
    await promisify(execFile)(command, [...args], { cwd, env: { ...childEnvironment(process.env), ...env } });
  } catch (error) {
    const { stderr = '' }: { stderr?: unknown } = Object(error);
    const lines = String(stderr).trim().split('\n');
    const reason = lines.find((line) => /\b(?:error|FATAL|PANIC|could not)\b/.test(line)) ?? lines.at(-1);
    throw new Error(`the files of PostgreSQL could not be made: ${reason || errorReason(error)}`, { cause: error });
  }
}
