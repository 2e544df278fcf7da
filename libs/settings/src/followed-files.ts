import { errorReason } from '@ringdown/errors';
import { FileWatch } from './file-watch.js';

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

/**
 * The content of some files. A change takes effect by itself; an invalid change is reported, and the old value is kept. Files that cannot be
 * read are tried again at each poll: a lack of descriptors or an error of the disk passes without a further change.
 */
export class FollowedFiles<T> implements Followed<T> {
  private value: T;
  /** Why the last read has failed; each reason is logged once. */
  private failure: string | undefined;
  private readonly listeners: ((value: T) => void)[] = [];
  private readonly watch: FileWatch;

  /** Throws the errors of `read`. */
  constructor(private readonly options: FollowedFilesOptions<T>) {
    this.watch = new FileWatch(options.files);
    this.value = options.read();
    this.watch.start(() => this.readAgain(), options.pollMs);
  }

  get current(): T {
    return this.value;
  }

  onChange(listener: (value: T) => void): void {
    this.listeners.push(listener);
  }

  /** Reads the files at once if they have changed: another process may have seen that earlier. */
  lookNow(): void {
    this.watch.lookNow();
  }

  close(): void {
    this.watch.close();
  }

  private readAgain(): void {
    const { files, logger, read } = this.options;
    try {
      const value = read();
      for (const listener of this.listeners) listener(value);
      this.value = value;
      this.failure = undefined;
      logger.info({ files }, 'files have changed and were read again');
    } catch (error) {
      this.watch.expectChange();
      const reason = errorReason(error);
      if (reason === this.failure) return;
      this.failure = reason;
      logger.error({ files, reason }, 'files have changed but are invalid; the previous content stays in use');
    }
  }
}
