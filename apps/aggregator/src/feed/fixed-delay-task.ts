import { errorReason } from '@ringdown/errors';
import { OutageLog, type Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FixedDelayTaskOptions {
  readonly work: () => Promise<unknown>;
  /** From the end of one run to the next. */
  readonly periodMs: number;
  readonly logger: Logger;
  /** The log message when a run fails; the next run takes place anyway. */
  readonly failure: string;
  /** The log message when a run succeeds again. */
  readonly recovery: string;
}

/**
 * Runs its work at once, and again a fixed delay after each run has ended; logs failures. `PeriodicTask` of
 * `@ringdown/concurrency` runs at a fixed rate, and leaves failures to its work.
 */
export class FixedDelayTask {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: FixedDelayTaskOptions) {}

  /** Aborted when it has to end. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  start(): void {
    this.running = this.run();
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { work, periodMs, logger, failure, recovery } = this.options;
    const outage = new OutageLog({ logger, failure, recovery });
    const { signal } = this;
    while (!signal.aborted) {
      try {
        await work();
        outage.succeeded('it');
      } catch (error) {
        outage.failed('it', errorReason(error));
      }
      // Ends early when it has to stop.
      await sleep(periodMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
