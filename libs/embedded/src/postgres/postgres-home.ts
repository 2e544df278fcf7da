import { randomBytes } from 'node:crypto';
import { errorReason } from '@ringdown/errors';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refuseForeignLinks } from '../foreign-links.js';
import type { ChildMark } from '../leftover.js';
import { databaseProcesses } from './postgres-leftovers.js';

/** The superuser; no service uses it. */
export const SUPERUSER = 'postgres';
const PASSWORD_BYTES = 24;

/** The places of one PostgreSQL in its folder. */
export class PostgresHome {
  readonly folder: string;
  /** Its files; PostgreSQL of another major version cannot read them. */
  readonly data: string;
  readonly making: string;
  readonly libraries: string;
  readonly pidFile: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
    this.data = join(this.folder, 'postgresql-18');
    this.making = `${this.data}.making`;
    this.libraries = join(this.folder, 'lib');
    this.pidFile = join(this.folder, 'database.pid');
  }

  get mark(): ChildMark {
    const { data, making, pidFile } = this;
    return { name: 'database', ownFile: data, pidFile, others: () => databaseProcesses(data, making) };
  }

  /** Its files, or where they will be made. */
  get present(): string {
    return existsSync(this.data) ? this.data : this.folder;
  }

  /** Throws an Error in one line when this user cannot use the folder; otherwise returns whose it is, if there are files. */
  claim(uid = process.getuid?.()): { readonly uid: number; readonly gid: number } | undefined {
    refuseForeignLinks(this.folder, uid);
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      accessSync(this.folder, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new Error(`the folder of the database ${this.folder} cannot be written: ${errorReason(error)}`, {
        cause: error,
      });
    }
    const owner = statSync(this.present);
    if (uid === undefined || uid === 0 || owner.uid === uid) return owner;
    throw new Error(
      `the folder of the database ${this.folder} belongs to user ${owner.uid}, not to ${uid}: start as that user, or give it to this one (chown -R)`,
    );
  }

  /** Made once; the file can be read by this user alone. */
  passwordOf(role: string): string {
    const file = this.passwordFile(role);
    if (!existsSync(file))
      writeFileSync(file, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, {
        mode: 0o600,
        flush: true,
        flag: 'wx',
      });
    return readFileSync(file, 'utf8').trim();
  }

  passwordFile(role: string): string {
    return join(this.folder, `${role}.password`);
  }

  urlOf(role: string, database: string, socketFolder: string): string {
    const user = `${role}:${this.passwordOf(role)}`;
    return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;
  }
}
