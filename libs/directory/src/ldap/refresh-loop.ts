import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RefreshLoopOptions {
  /** Reads the changes. */
  readonly refresh: () => Promise<void>;
  /** How often, milliseconds. */
  readonly refreshMs: number;
  readonly logger: Logger;
  /** The number of people, for the log. */
  readonly people: () => number;
}

/** After a failure the directory is retried soon, then more and more rarely, milliseconds. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** Reads a directory repeatedly, and logs when that begins to fail and when it works again. */
export class RefreshLoop {
  /** Resolves after {@link stop}, when a running reading has ended. */
  ended: Promise<void> = Promise.resolve();
  private reason: string | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: RefreshLoopOptions) {}

  /** Why the directory cannot be read; undefined while it can. */
  get problem(): string | undefined {
    return this.reason;
  }

  /** Begins with a pause: the caller has just read the directory; `error` if that failed. */
  start(error?: unknown): void {
    if (error !== undefined) this.failed(error);
    this.ended = this.run();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async run(): Promise<void> {
    const { refresh, refreshMs } = this.options;
    const { signal } = this.stopping;
    let retryMs = FIRST_RETRY_MS;
    for (;;) {
      try {
        await sleep(this.reason === undefined ? refreshMs : retryMs, undefined, { signal });
      } catch {
        return;
      }
      retryMs = this.reason === undefined ? FIRST_RETRY_MS : Math.min(retryMs * 2, MAX_RETRY_MS);
      try {
        await refresh();
        this.recovered();
      } catch (error) {
        if (signal.aborted) return;
        this.failed(error);
      }
    }
  }

  private failed(error: unknown): void {
    const { logger, people } = this.options;
    const reason = errorReason(error);
    if (reason !== this.reason) {
      logger.error({ reason, people: people() }, 'cannot read the directory; the people last read stay in use');
    }
    this.reason = reason;
  }

  private recovered(): void {
    if (this.reason !== undefined) this.options.logger.info('the directory is readable again');
    this.reason = undefined;
  }
}
