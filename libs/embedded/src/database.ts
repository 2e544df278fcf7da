import type { Logger } from '@ringdown/observability';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child } from './child.js';
import { DATABASE_ROLE } from './database-role.js';
import { listening } from './free-port.js';
import type { ChildMark } from './leftover.js';

export interface EmbeddedDatabase {
  readonly url: string;
  readonly pid: number | undefined;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface DatabaseOptions {
  readonly folder: string;
  readonly logger: Logger;
}

/** The file name that PostgreSQL clients expect in a folder. */
const SOCKET_NAME = '.s.PGSQL.5432';
/** Longest path of a Unix socket that every system accepts. */
const MAX_SOCKET_PATH = 100;

/**
 * Starts PGlite (PostgreSQL compiled to WebAssembly) in a process of its own, so that a long query does not block the
 * event loop of the services. It serves the PostgreSQL protocol, one query at a time, on a Unix socket in a folder that
 * only this user may enter: PGlite checks no password.
 */
export async function startDatabase({ folder, logger }: DatabaseOptions): Promise<EmbeddedDatabase> {
  const home = resolve(folder);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const socketFolder =
    home.length + SOCKET_NAME.length < MAX_SOCKET_PATH ? home : mkdtempSync(join(tmpdir(), 'ringdown-'));
  const socket = join(socketFolder, SOCKET_NAME);
  const { ownFile: files } = databaseMark(home);
  const child = await Child.start({
    ...databaseMark(home),
    command: process.execPath,
    args: [fileURLToPath(new URL('database-process.js', import.meta.url)), files, socket],
    logger,
    ipc: true,
    ready: (_pid, ended) => listening(socket, ended),
  });
  const url = `postgres://${DATABASE_ROLE}@localhost/postgres?host=${encodeURIComponent(socketFolder)}`;
  writeFileSync(urlFile(home), `${url}\n`, { mode: 0o600 });
  return {
    url,
    get pid() {
      return child.pid;
    },
    stop: async (signal) => {
      await child.stop(signal);
      rmSync(urlFile(home), { force: true });
      if (socketFolder !== home) rmSync(socketFolder, { recursive: true, force: true });
    },
  };
}

/** For commands in other terminals: the address of the database of this folder. Undefined if none is running. */
export function embeddedDatabaseUrl(folder: string): string | undefined {
  const file = urlFile(resolve(folder));
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function urlFile(home: string): string {
  return join(home, 'database.url');
}

export function databaseMark(folder: string): ChildMark {
  const home = resolve(folder);
  return { name: 'database', ownFile: join(home, 'pglite'), pidFile: join(home, 'database.pid') };
}
