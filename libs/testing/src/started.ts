/**
 * Everything that a test file has started; stopped at its end in reverse order, even if the start of the file failed.
 */
export class Started {
  private readonly stops: (() => Promise<void>)[] = [];

  add<T extends { stop(): Promise<void> }>(started: T): T {
    this.stops.unshift(() => started.stop());
    return started;
  }

  /** Rejects when something could not be stopped, after stopping everything else. */
  async stopAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const stop of this.stops.splice(0)) await stop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'a resource of the test could not be stopped');
  }
}
