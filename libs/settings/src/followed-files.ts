import { reasonOf } from '@ringdown/errors';
import { unwatchFile, watchFile } from 'node:fs';

/** What is said at a place that can say something else later. */
export interface Followed<T> {
  readonly current: T;
  /** The listener is told of each value after this one; when it throws, the value is taken for wrong. */
  onChange(listener: (value: T) => void): void;
}

export interface FollowedFilesOptions<T> {
  readonly files: readonly string[];
  /** Reads them all; throws an Error in one line when one is missing or wrong. */
  readonly read: () => T;
  readonly logger: FollowedFilesLog;
  readonly pollMs?: number | undefined;
}

export interface FollowedFilesLog {
  info(about: object, message: string): void;
  error(about: object, message: string): void;
}

/** Polled, because files that are mounted into a container, or are links that are swapped, tell nobody of their changes. */
const POLL_MS = 2_000;

/** What some files say. A change takes effect by itself; a broken one is told and leaves what was said before. */
export class FollowedFiles<T> implements Followed<T> {
  private value: T;
  private readonly listeners: ((value: T) => void)[] = [];
  private readonly changed = (): void => this.readAgain();

  /** Throws whatever `read` throws. */
  constructor(private readonly options: FollowedFilesOptions<T>) {
    const interval = options.pollMs ?? POLL_MS;
    // Watched before they are read, so that no change falls between the two.
    for (const file of options.files) watchFile(file, { interval, persistent: false }, this.changed);
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
    for (const file of this.options.files) unwatchFile(file, this.changed);
  }

  private readAgain(): void {
    const { files, logger, read } = this.options;
    try {
      const value = read();
      for (const listener of this.listeners) listener(value);
      this.value = value;
      logger.info({ files }, 'files have changed and were read again');
    } catch (error) {
      const reason = reasonOf(error);
      logger.error({ files, reason }, 'files have changed but are wrong; what they said before stays');
    }
  }
}
