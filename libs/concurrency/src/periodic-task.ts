export interface PeriodicTaskOptions {
  readonly periodMs: number;
  /** Handles its own errors: no caller waits for it. */
  readonly run: () => Promise<void>;
}

/** Runs a task at every period, except while the last run is not finished. Does not keep the process alive. */
export class PeriodicTask {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | undefined;

  constructor({ periodMs, run }: PeriodicTaskOptions) {
    this.timer = setInterval(() => {
      this.running ??= run().finally(() => (this.running = undefined));
    }, periodMs).unref();
  }

  /** Resolves when the last run is finished. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
