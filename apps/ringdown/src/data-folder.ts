import { reasonOf } from '@ringdown/errors';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { RunningFile } from './running-system.js';

/** The folder that holds everything; only one process may use it at a time. */
export class DataFolder {
  private constructor(
    readonly path: string,
    readonly running: RunningFile,
  ) {}

  /** Throws an Error in one clear line when the folder cannot be written or belongs to a running process. */
  static open(folder: string): DataFolder {
    const path = resolve(folder);
    try {
      makeFolder(path);
      accessSync(path, constants.W_OK);
      writeFileSync(join(path, '.writable'), '');
      rmSync(join(path, '.writable'));
    } catch (error) {
      throw new Error(`the data folder ${path} cannot be written (DATA_DIR): ${reasonOf(error)}`, { cause: error });
    }
    const running = new RunningFile(path);
    const owner = running.claim();
    if (owner !== undefined) throw new Error(`the data folder ${path} is in use by process ${owner.pid}`);
    return new DataFolder(path, running);
  }

  in(...names: string[]): string {
    return join(this.path, ...names);
  }

  /** Random text that is made when it is first asked for, and stays; readable by its owner alone. */
  secret(name: string): string {
    const file = this.in(name);
    if (existsSync(file)) return readFileSync(file, 'utf8').trim();
    const secret = randomBytes(24).toString('base64url');
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    return secret;
  }

  release(): void {
    this.running.release();
  }
}

/** Node's recursive mkdir never returns where a file system denies that the folder it is to make can exist (`/proc`). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
