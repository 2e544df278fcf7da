import { errorReason } from '@ringdown/errors';
import { unwatchFile, watchFile } from 'node:fs';

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
  private readonly changed = (): void => this.readAgain();

  /** Throws the errors of `read`. */
  constructor(private readonly options: FollowedFilesOptions<T>) {
    const interval = options.pollMs ?? POLL_MS;
    // Watched before they are read, so that no change is missed in between.
    for (const file of new Set(options.files)) watchFile(file, { interval, persistent: false }, this.changed);
    try {
      this.value = options.read();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get current(): T {
    return this.value;
  }

  onChange(listener: (value: T) => void): void {
    this.listeners.push(listener);
  }

  close(): void {
    for (const file of new Set(this.options.files)) unwatchFile(file, this.changed);
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
