/**
 * Sends together what is to be sent in one turn of the event loop. The connection writes to its socket once for each
 * task that publishes, and a write costs more processor time than all else that a small message takes.
 */
export class Outbox {
  private waiting: (() => void)[] = [];

  /** The result of `publish`, which runs at the end of this turn. */
  send<T>(publish: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(publish());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      if (this.waiting.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Sends at once what waits, for a connection that is about to close. */
  flush(): void {
    for (const publish of this.waiting.splice(0)) publish();
  }
}
