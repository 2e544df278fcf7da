import { errorReason } from '@ringdown/errors';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** No log can be written. The message gives the reason for an operator. */
export class LogFolderError extends Error {
  override readonly name = 'LogFolderError';
}

/** The files of one log in its folder: `name-2026-01-31.log`, `name-2026-01-31.1.log` and so on. */
export class LogFiles {
  constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {}

  path(day: string, part: number): string {
    return join(this.folder, `${this.name}-${day}${part === 0 ? '' : `.${part}`}.log`);
  }

  sizeOf(day: string, part: number): number {
    return statSync(this.path(day, part), { throwIfNoEntry: false })?.size ?? 0;
  }

  has(day: string, part: number): boolean {
    return statSync(this.path(day, part), { throwIfNoEntry: false }) !== undefined;
  }

  /** Creates the folder if it does not exist. */
  makeFolder(): void {
    makeFolder(this.folder);
  }

  /** 0 if there is none. */
  lastPart(day: string): number {
    return Math.max(0, ...this.all().flatMap((file) => (file.day === day ? file.part : [])));
  }

  deleteBefore(oldest: string): void {
    for (const { file, day } of this.all()) if (day < oldest) rmSync(join(this.folder, file), { force: true });
  }

  /** Creates the folder if it does not exist, and checks that the log of a day can be written. Throws {@link LogFolderError}. */
  prepare(day: string): void {
    try {
      this.makeFolder();
      const part = this.lastPart(day);
      const [file, wasThere] = [this.path(day, part), this.has(day, part)];
      closeSync(openSync(file, 'a', LOG_MODE));
      if (!wasThere) rmSync(file);
    } catch (error) {
      const reason = errorReason(error);
      throw new LogFolderError(`cannot write logs in ${this.folder}: ${reason}`, { cause: error });
    }
  }

  private all(): { readonly file: string; readonly day: string; readonly part: number }[] {
    const pattern = /^(.*)-(\d{4}-\d{2}-\d{2})(?:\.(\d{1,6}))?\.log$/;
    return readdirSync(this.folder).flatMap((file) => {
      const [, name, day, part = '0'] = pattern.exec(file) ?? [];
      return name === this.name && day !== undefined ? { file, day, part: Number(part) } : [];
    });
  }
}

/** Not readable by others: the log shows who called whom. */
export const LOG_MODE = 0o640;

/** One after another: the recursive option of Node never returns where nothing can be created, as in /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}
