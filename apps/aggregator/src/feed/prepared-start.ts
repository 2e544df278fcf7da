import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PreparedStartOptions {
  /** False while the database does not have the tables yet. */
  readonly isPrepared: () => Promise<boolean>;
  readonly begin: () => void;
  /** Completes "… cannot be stored yet". */
  readonly content: string;
  readonly logger: Logger;
}

const RETRY_MS = 1_000;

/** Begins when the database has its tables, unless it is stopped before. */
export class PreparedStart {
  private readonly stopping = new AbortController();
  private beginning: Promise<void> | undefined;

  constructor(private readonly options: PreparedStartOptions) {}

  /** Aborted by {@link stop}. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Returns at once. */
  start(): void {
    this.beginning = this.beginWhenPrepared();
  }

  /** Ends the wait; what has begun goes on. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.beginning;
  }

  private async beginWhenPrepared(): Promise<void> {
    while (!(await this.isPrepared())) {
      if (this.signal.aborted) return;
      // Ends early when it has to stop.
      await sleep(RETRY_MS, undefined, { signal: this.signal }).catch(() => undefined);
    }
    this.options.begin();
  }

  /** The reader of records reports a database that does not respond, too. */
  private isPrepared(): Promise<boolean> {
    const { isPrepared, content, logger } = this.options;
    return isPrepared().catch((error: unknown) => {
      logger.debug({ reason: errorReason(error) }, `${content} cannot be stored yet`);
      return false;
    });
  }
}
