import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { escapeLiteral, type Client } from 'pg';
import { Child, type ChildState } from '../child.js';
import { DATABASE_ROLE } from '../database-role.js';
import { linkLibraries } from './libraries.js';
import { makeCluster } from './make-cluster.js';
import { withWayOut } from './postgres-damage.js';
import { PostgresHome, SUPERUSER } from './postgres-home.js';
import { endPostgresIn, removeStaleLocks } from './postgres-leftovers.js';
import { findPostgresPackage } from './postgres-package.js';
import { reasonInLog } from './postgres-output.js';
import { probePostgres } from './postgres-probe.js';
import { onceReady } from './postgres-ready.js';
import { repairNotice } from './repair-notice.js';
import { commandAs, serverUser, type ServerUser } from './server-user.js';
import { SocketFolder } from './socket-folder.js';

/** The database of the services. */
export const DATABASE_NAME = 'ringdown';

export interface PostgresOptions {
  readonly folder: string;
  readonly logger: Logger;
  /** Of postgresql.conf; they win over those of the file. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether new files are on disk before they are used; by default true. */
  readonly sync?: boolean;
  /** Whether it is ended and started again when it does not respond; by default not. */
  readonly watch?: boolean;
  /** Ends the start, also while the server repairs its files. */
  readonly stopping?: AbortSignal | undefined;
}

/** A check of a busy machine takes this long; a server that is silent twice is ended. */
const ANSWER_MS = 10_000;

export interface PostgresProcess {
  /** For the services: the owner of its database, not a superuser. */
  readonly url: string;
  /** For the superuser. */
  readonly superuserUrl: string;
  readonly pid: number | undefined;
  readonly state: ChildState;
  /** By default at once and regularly: transactions are rolled back. SIGQUIT and SIGKILL end it like a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Runs PostgreSQL of the npm package in a folder, on a Unix socket that only this user may reach. It is restarted when it
 * ends.
 */
export async function startPostgresServer(options: PostgresOptions): Promise<PostgresProcess> {
  const { logger, sync = true, watch = false, stopping } = options;
  const { native } = findPostgresPackage();
  const home = new PostgresHome(options.folder);
  const program = join(native, 'bin', 'postgres');
  const owner = home.claim();
  const user = serverUser({ owner, reach: { folder: home.folder, present: home.present, program } });
  const variables = linkLibraries(native, home.libraries);
  await makeCluster({ home, native, user, variables, sync });
  const sockets = new SocketFolder(home.folder);
  const superuserUrl = home.urlOf(SUPERUSER, SUPERUSER, sockets.path);
  const settings = {
    listen_addresses: '',
    // A list: the path may have a comma.
    unix_socket_directories: `"${sockets.path.replaceAll('"', '""')}"`,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  };
  const { command, args, env } = commandAs(user, program, variables);
  const all = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  /** What is left of a server that had to be killed. */
  const clean = async (): Promise<void> => {
    await endPostgresIn(home.data);
    sockets.remove();
  };
  const child = await Child.start({
    ...home.mark,
    command,
    args: [...args, '-D', home.data, ...all],
    env,
    logger,
    prepare: () => prepareStart({ home, user, sockets, logger }),
    reasonIn: (output, how) => withWayOut(reasonInLog(output, how), home.data),
    ...(watch ? { probe: () => probePostgres(superuserUrl, ANSWER_MS) } : {}),
    stopSignal: 'SIGINT',
    stopping,
    ready: (_pid, ended, prolong) => {
      const notice = repairNotice(logger);
      const onStarting = (): void => {
        prolong();
        notice();
      };
      return onceReady({ url: superuserUrl, ended, onStarting }, (client) => makeOwnDatabase(client, home)).catch(
        (error: unknown) => {
          throw new Error(`database does not work: ${withWayOut(errorReason(error), home.data)}`, { cause: error });
        },
      );
    },
  }).catch(async (error: unknown) => {
    await clean();
    throw error;
  });
  // Who owns the folder may start it the next time.
  user.own(home.passwordFile(DATABASE_ROLE));
  return {
    url: home.urlOf(DATABASE_ROLE, DATABASE_NAME, sockets.path),
    superuserUrl,
    get pid() {
      return child.pid;
    },
    get state() {
      return child.state;
    },
    stop: async (signal) => {
      await child.stop(signal);
      await clean();
    },
  };
}

interface Prepared {
  readonly home: PostgresHome;
  readonly user: ServerUser;
  readonly sockets: SocketFolder;
  readonly logger: Logger;
}

async function prepareStart({ home, user, sockets, logger }: Prepared): Promise<void> {
  const left = await endPostgresIn(home.data);
  if (left.length > 0) logger.warn({ pids: left }, 'ended processes of a database that was killed');
  // A copy made by `cp -r` has other permissions, with which PostgreSQL does not start.
  chmodSync(home.data, 0o700);
  sockets.prepare((folder) => user.own(folder));
  removeStaleLocks(home.data, sockets.socket);
}

/** A start that was interrupted may have made only the role. */
async function makeOwnDatabase(client: Client, home: PostgresHome): Promise<void> {
  const password = escapeLiteral(home.passwordOf(DATABASE_ROLE));
  const { rows: roles } = await client.query('select from pg_roles where rolname = $1', [DATABASE_ROLE]);
  if (roles.length === 0) await client.query(`create role ${DATABASE_ROLE} login password ${password}`);
  const { rows: databases } = await client.query('select from pg_database where datname = $1', [DATABASE_NAME]);
  if (databases.length === 0) await client.query(`create database ${DATABASE_NAME} owner ${DATABASE_ROLE}`);
}
