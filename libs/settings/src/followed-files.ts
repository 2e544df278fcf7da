import { errorReason } from '@ringdown/errors';
import { statSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A value that may change later. */
export interface Followed<T> {
  readonly current: T;
  /** The listener is called with each later value; if it throws, the value is rejected as invalid. */
  onChange(listener: (value: T) => void): void;
}

export interface FollowedFilesOptions<T> {
  readonly files: readonly string[];
  /** Reads all files; throws an Error with a one-line message when one is missing or wrong. */
  readonly read: () => T;
  readonly logger: FollowedFilesLog;
  readonly pollMs?: number | undefined;
}

export interface FollowedFilesLog {
  info(about: object, message: string): void;
  error(about: object, message: string): void;
}

/** Polled, because files mounted into a container, or behind replaced links, cause no change notifications. */
const POLL_MS = 2_000;

/**
 * The content of some files. A change takes effect by itself; an invalid change is reported, and the old value is kept.
 */
export class FollowedFiles<T> implements Followed<T> {
  private value: T;
  private readonly listeners: ((value: T) => void)[] = [];
  private readonly files: readonly string[];
  /** Of the files when they were read. */
  private marks: readonly string[];
  private isLooking = false;
  private isClosed = false;
  private readonly timer: NodeJS.Timeout;

  /** Throws the errors of `read`. */
  constructor(private readonly options: FollowedFilesOptions<T>) {
    this.files = [...new Set(options.files)];
    // Before they are read, so that no change is missed in between. fs.watchFile begins with what it finds a moment later.
    this.marks = this.files.map(markNow);
    this.value = options.read();
    this.timer = setInterval(() => void this.look(), options.pollMs ?? POLL_MS).unref();
  }

  get current(): T {
    return this.value;
  }

  onChange(listener: (value: T) => void): void {
    this.listeners.push(listener);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
  }

  /** The file system may be slow: one look at a time. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const found = await Promise.all(this.files.map((file) => stat(file, { bigint: true }).catch(() => undefined)));
    this.isLooking = false;
    const marks = found.map(markOf);
    if (this.isClosed || marks.every((mark, index) => mark === this.marks[index])) return;
    this.marks = marks;
    this.readAgain();
  }

  private readAgain(): void {
    const { files, logger, read } = this.options;
    try {
      const value = read();
      for (const listener of this.listeners) listener(value);
      this.value = value;
      logger.info({ files }, 'files have changed and were read again');
    } catch (error) {
      const reason = errorReason(error);
      logger.error({ files, reason }, 'files have changed but are invalid; the previous content stays in use');
    }
  }
}

/** Differs when a file was written, replaced, made or removed. */
function markOf(stats: BigIntStats | undefined): string {
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
}

/** What is wrong with a file is what reading it says. */
function markNow(file: string): string {
  try {
    return markOf(statSync(file, { bigint: true }));
  } catch {
    return markOf(undefined);
  }
}
