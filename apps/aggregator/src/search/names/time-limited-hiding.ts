import type { IdentityHiding } from '@ringdown/identity-hiding';
import { eachWithinTime, TimeLimitExceeded } from '@ringdown/time-limit';

export interface TimeLimitedHidingOptions {
  readonly hiding: Pick<IdentityHiding, 'data' | 'outline'>;
  /** The longest time for one call or record. */
  readonly limitMs: number;
}

/**
 * The share of that time for all items of one response: they are serialized as JSON as well, and a client is waiting.
 */
const SHARE_OF_RESPONSE = 0.25;

/** Hides users in many calls or records while other tasks run in between. */
export class TimeLimitedHiding {
  constructor(private readonly options: TimeLimitedHidingOptions) {}

  /** Hides users in all of them. */
  all<T>(items: readonly T[]): Promise<readonly T[]> {
    return this.each(items, (item, hide) => hide(item), Number.POSITIVE_INFINITY);
  }

  /** The first items, as many as can be prepared for one response, but at least one. */
  forResponse<T, O>(items: readonly T[], work: (item: T, hide: HideOne) => O): Promise<readonly O[]> {
    return this.each(items, work, this.options.limitMs * SHARE_OF_RESPONSE);
  }

  /** The first items, as many as take no longer than the limit for one. */
  first<T, O>(items: readonly T[], work: (item: T, hide: HideOne) => O): Promise<readonly O[]> {
    return this.each(items, work, this.options.limitMs);
  }

  /** An item that takes too long is shown in outline: it does not delay the others. */
  private async each<T, O>(
    items: readonly T[],
    work: (item: T, hide: HideOne) => O,
    mostMs: number,
  ): Promise<readonly O[]> {
    const { hiding, limitMs } = this.options;
    const whole: HideOne = (data) => hiding.data(data);
    const outcomes = await eachWithinTime(limitMs, items, (item) => work(item, whole), { mostMs });
    return outcomes.map((outcome, index) => {
      if (outcome.ok) return outcome.value;
      if (!(outcome.error instanceof TimeLimitExceeded)) throw outcome.error;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- There is no outcome without its item.
      return work(items[index] as T, (data) => hiding.outline(data));
    });
  }
}

/** One call or record with the users in it hidden. */
export type HideOne = <D>(data: D) => D;
