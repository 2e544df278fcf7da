import { DatabaseSync } from 'node:sqlite';

/** https://sqlite.org/rescode.html#busy and #cantopen. */
const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;
/** A check holds the lock for less. */
const ACQUIRE_MS = 500;

/**
 * A lock of the kernel on a file (fcntl(2)). Processes of other containers find it locked, although they cannot see who has it, and it is free
 * as soon as that process has ended. Node offers none; this is the one of its SQLite, which writes nothing here.
 */
export class FileLock {
  private held: DatabaseSync | undefined;

  constructor(private readonly file: string) {}

  /** False when it is held already. Throws if the file cannot be created, or its file system has no locks. */
  acquire(): boolean {
    const database = new DatabaseSync(this.file, { timeout: ACQUIRE_MS });
    try {
      // A journal on the disk would remain after a crash.
      if (isLocked(database, 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')) return false;
      this.held = database;
      return true;
    } finally {
      if (this.held !== database) database.close();
    }
  }

  /** Whether a process holds it, this one included. */
  isHeld(): boolean {
    try {
      using database = new DatabaseSync(this.file, { readOnly: true });
      return isLocked(database, 'PRAGMA schema_version');
    } catch (error) {
      if (sqliteCode(error) === SQLITE_CANTOPEN) return false;
      throw error;
    }
  }

  release(): void {
    this.held?.close();
    this.held = undefined;
  }
}

function isLocked(database: DatabaseSync, statement: string): boolean {
  try {
    database.exec(statement);
    return false;
  } catch (error) {
    if (sqliteCode(error) === SQLITE_BUSY) return true;
    throw error;
  }
}

function sqliteCode(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined;
}
