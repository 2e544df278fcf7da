import type { MessageOrigin } from '@ringdown/contracts';

/** More collectors than run at the same time: each start of one is another. */
const MOST_KNOWN = 1_000;

/** Knows by the collectors' own numbers whether a message was left out before the one that was read now. */
export class CollectorNumbers {
  private readonly last = new Map<string, number>();

  /**
   * Whether messages of this collector are missing before this one. They may have been read before this reader was there,
   * or refused by the bus and never acknowledged.
   */
  skip({ collector, number }: MessageOrigin): boolean {
    const last = this.last.get(collector) ?? 0;
    this.last.delete(collector);
    this.last.set(collector, Math.max(last, number));
    if (this.last.size > MOST_KNOWN) this.last.delete(this.last.keys().next().value ?? '');
    return number > last + 1;
  }
}
