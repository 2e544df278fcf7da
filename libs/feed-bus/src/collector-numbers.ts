import type { MessageOrigin } from '@ringdown/contracts/records';

/** More collectors than run at the same time: each start of a collector counts as another one. */
const MAX_KNOWN = 1_000;

/**
 * Detects, by the numbers that each collector gives its messages, whether a message was skipped before the current one.
 */
export class CollectorNumbers {
  private readonly last = new Map<string, number>();

  /**
   * Whether messages of this collector are missing before this one. They may have been read before this reader started,
   * or rejected by the bus and never acknowledged.
   */
  skip({ collector, number }: MessageOrigin): boolean {
    const last = this.last.get(collector) ?? 0;
    this.last.delete(collector);
    this.last.set(collector, Math.max(last, number));
    if (this.last.size > MAX_KNOWN) this.last.delete(this.last.keys().next().value ?? '');
    return number > last + 1;
  }
}
