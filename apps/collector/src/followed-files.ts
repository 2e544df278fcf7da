import { reasonOf } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import { unwatchFile, watchFile } from 'node:fs';

export interface FollowedFilesOptions<T> {
  readonly files: readonly string[];
  /** Reads them all; throws an Error in one line when one is missing or wrong. */
  readonly read: () => T;
  readonly logger: Logger;
  /** Told of what was read after a change. */
  readonly onChange?: (value: T) => void;
  readonly pollMs?: number;
}

/** Polled, because files that are mounted into a container, or are links that are swapped, tell nobody of their changes. */
const POLL_MS = 2_000;

/** What some files say. A change takes effect by itself; a broken one is told and leaves what was said before. */
export class FollowedFiles<T> {
  private value: T;
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

  close(): void {
    for (const file of this.options.files) unwatchFile(file, this.changed);
  }

  private readAgain(): void {
    const { files, logger, read, onChange } = this.options;
    try {
      const value = read();
      onChange?.(value);
      this.value = value;
      logger.info({ files }, 'files have changed and were read again');
    } catch (error) {
      logger.error({ files, reason: reasonOf(error) }, 'files have changed but are wrong; what they said before stays');
    }
  }
}
