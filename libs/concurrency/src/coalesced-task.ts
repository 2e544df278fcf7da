/**
 * Runs a task for many callers. Each gets the result of a run that began after its call, so that it includes everything
 * that happened before; calls during a run share the next one.
 */
export class CoalescedTask<T> {
  private current: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(private readonly task: () => Promise<T>) {}

  run(): Promise<T> {
    if (this.next) return this.next;
    if (!this.current) return this.start();
    const start = (): Promise<T> => this.start();
    this.next = this.current.then(start, start);
    return this.next;
  }

  private start(): Promise<T> {
    this.next = undefined;
    const run = this.task();
    this.current = run;
    const ended = (): void => {
      if (this.current === run) this.current = undefined;
    };
    run.then(ended, ended);
    return run;
  }
}
