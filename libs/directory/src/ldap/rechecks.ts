import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';

export interface RechecksOptions {
  /** Minimum time between two checks of the same person, milliseconds. */
  readonly everyMs: number;
  /** Reads one person again, by the id of their entry. */
  readonly check: (id: string) => Promise<void>;
  readonly logger: Logger;
}

/** Maximum of people whose last check is remembered, and of people who wait for a check. */
const MAX_REMEMBERED = 20_000;
const MAX_WAITING = 1_000;

/** Rechecks active people in the background: one at a time, and each of them rarely. */
export class Rechecks {
  /** By the clock of `performance.now`, by id; the least recently checked is the first. */
  private readonly checkedAt = new Map<string, number>();
  private readonly waiting = new Set<string>();
  private working: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly options: RechecksOptions) {}

  schedule(id: string): void {
    const last = this.checkedAt.get(id);
    if (last !== undefined && performance.now() - last < this.options.everyMs) return;
    if (this.closed || this.waiting.size >= MAX_WAITING) return;
    this.waiting.add(id);
    this.working ??= this.checkAll().finally(() => (this.working = undefined));
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.working;
  }

  private async checkAll(): Promise<void> {
    for (const id of this.waiting) {
      if (this.closed) return;
      this.recordCheck(id);
      try {
        await this.options.check(id);
      } catch (error) {
        // A failed check proves nothing; the readings of all people report the problem to the operator.
        this.options.logger.debug({ reason: errorReason(error) }, 'could not recheck a person');
      }
      this.waiting.delete(id);
    }
  }

  private recordCheck(id: string): void {
    this.checkedAt.delete(id);
    this.checkedAt.set(id, performance.now());
    const [longest] = this.checkedAt.keys();
    if (this.checkedAt.size > MAX_REMEMBERED && longest !== undefined) this.checkedAt.delete(longest);
  }
}
