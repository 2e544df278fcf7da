import { CoalescedTask, PeriodicTask } from '@ringdown/concurrency';
import { DirectoryUnavailable, type Directory } from '@ringdown/directory';
import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';

/** A change of a name that the directory reports. */
export interface NamedChange {
  /** Identifies the name; a later change of the same name has another time. */
  readonly key: string;
  /** When it began, milliseconds since 1970. */
  readonly at: number;
}

export interface PendingChangesOptions<T extends NamedChange> {
  readonly directory: Directory;
  /** All changes that the directory knows. */
  readonly changes: (directory: Directory) => readonly T[];
  readonly run: (change: T) => Promise<void>;
  readonly logger: Logger;
  /** The message of the log when one fails. */
  readonly failure: string;
}

/** What failed is tried again after this time. */
const RETRY_MS = 5_000;

/** Does something once for each change, also of those before the start of this replica; what fails is tried again. */
export class PendingChanges<T extends NamedChange> {
  /** By key, the time of the last change that is done. */
  private readonly done = new Map<string, number>();
  private readonly task = new CoalescedTask(() => this.runAll());
  private readonly retrying = new PeriodicTask({ periodMs: RETRY_MS, run: () => this.run() });
  private readonly unsubscribe: () => void;

  constructor(private readonly options: PendingChangesOptions<T>) {
    this.unsubscribe = options.directory.onChange(() => void this.run());
  }

  /** Resolves when everything was tried that was known at the call. */
  run(): Promise<void> {
    return this.task.run();
  }

  async close(): Promise<void> {
    this.unsubscribe();
    await this.retrying.stop();
    await this.task.run();
  }

  private async runAll(): Promise<void> {
    const { run, logger, failure } = this.options;
    // In their order: a person may have been renamed several times.
    for (const change of this.pending().toSorted((one, other) => one.at - other.at)) {
      try {
        await run(change);
        this.done.set(change.key, change.at);
      } catch (error) {
        if (error instanceof DirectoryUnavailable) return;
        // Those of others go on.
        logger.warn({ reason: errorReason(error) }, failure);
      }
    }
  }

  /** None while the directory is not available. */
  private pending(): readonly T[] {
    const { directory, changes } = this.options;
    try {
      return changes(directory).filter(({ key, at }) => this.done.get(key) !== at);
    } catch (error) {
      if (error instanceof DirectoryUnavailable) return [];
      throw error;
    }
  }
}
