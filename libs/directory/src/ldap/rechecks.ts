import { reasonOf } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';

export interface RechecksOptions {
  /** Minimum time between two checks of the same person, milliseconds. */
  readonly everyMs: number;
  /** Reads one person again, by the id of their entry. */
  readonly check: (id: string) => Promise<void>;
  readonly logger: Logger;
}

/** Maximum of people whose last check is remembered, and of people who wait for a check. */
const KNOWN = 20_000;
const WAITING = 1_000;

/** Rechecks active people in the background: one at a time, and each of them rarely. */
export class Rechecks {
  /** By the clock of `performance.now`, by id; the least recently checked is the first. */
  private readonly lookedAt = new Map<string, number>();
  private readonly waiting = new Set<string>();
  private working: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly options: RechecksOptions) {}

  want(id: string): void {
    const last = this.lookedAt.get(id);
    if (last !== undefined && performance.now() - last < this.options.everyMs) return;
    if (this.closed || this.waiting.size >= WAITING) return;
    this.waiting.add(id);
    this.working ??= this.work().finally(() => (this.working = undefined));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.working;
  }

  private async work(): Promise<void> {
    for (const id of this.waiting) {
      if (this.closed) return;
      this.note(id);
      try {
        await this.options.check(id);
      } catch (error) {
        // A failed check proves nothing; the readings of all people report the problem to the operator.
        this.options.logger.debug({ reason: reasonOf(error) }, 'a person was not read');
      }
      this.waiting.delete(id);
    }
  }

  private note(id: string): void {
    this.lookedAt.delete(id);
    this.lookedAt.set(id, performance.now());
    const [longest] = this.lookedAt.keys();
    if (this.lookedAt.size > KNOWN && longest !== undefined) this.lookedAt.delete(longest);
  }
}
