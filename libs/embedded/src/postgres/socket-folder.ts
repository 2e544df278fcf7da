import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** The file name that PostgreSQL clients expect in a folder. */
const SOCKET_NAME = '.s.PGSQL.5432';
/** Longest path of a Unix socket that every system accepts; unix(7) allows 107 bytes. */
const MAX_SOCKET_PATH = 100;
const TEMPORARY_NAME = /^ringdown-[0-9a-f]{12}$/;

/** The folder of the socket: one of the database, or a temporary one where its path would be too long. */
export class SocketFolder {
  readonly path: string;
  readonly socket: string;
  private readonly isTemporary: boolean;
  /** Has the path of a temporary one, so that a later start removes what a crash has left. */
  private readonly note: string;
  private uid: number | undefined;

  constructor(folder: string, temporary = tmpdir()) {
    this.note = join(folder, 'socket.path');
    const own = join(folder, 'socket');
    this.isTemporary = !isShort(own);
    this.path = this.isTemporary ? temporaryPath(temporary) : own;
    this.socket = join(this.path, SOCKET_NAME);
  }

  /** To be called before each start: programs that clean up may have removed it. `give`: to the user of the server. */
  prepare(give: (folder: string) => void): void {
    const isFirst = this.uid === undefined;
    if (isFirst) this.removeLeftover();
    const found = lstatSync(this.path, { throwIfNoEntry: false });
    if (found === undefined) mkdirSync(this.path, { mode: 0o700 });
    // Another user may have made it since.
    else if (this.isTemporary && found.uid !== this.uid)
      throw new Error(`the folder ${this.path} for the socket of the database belongs to user ${found.uid}`);
    if (isFirst && this.isTemporary) writeFileSync(this.note, this.path);
    give(this.path);
    this.uid = lstatSync(this.path).uid;
  }

  remove(): void {
    if (!this.isTemporary) return;
    removeTemporary(this.path);
    rmSync(this.note, { force: true });
  }

  private removeLeftover(): void {
    try {
      removeTemporary(readFileSync(this.note, 'utf8'));
    } catch {
      // Nothing is left.
    }
  }
}

function isShort(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH;
}

function temporaryPath(temporary: string): string {
  const name = `ringdown-${randomBytes(6).toString('hex')}`;
  const path = join(temporary, name);
  return isShort(path) ? path : join('/tmp', name);
}

/** Only what PostgreSQL makes in such a folder: the path may come from a file. */
function removeTemporary(path: string): void {
  if (!TEMPORARY_NAME.test(basename(path))) return;
  try {
    for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) rmSync(join(path, name), { force: true });
    rmdirSync(path);
  } catch {
    // It is gone, or has something else.
  }
}
