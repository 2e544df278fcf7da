import type { IdentityHiding } from '@ringdown/identity-hiding';
import { eachWithinTime, TookTooLong } from '@ringdown/time-limit';

export interface HidingInTurnsOptions {
  readonly hiding: Pick<IdentityHiding, 'data' | 'outline'>;
  /** How long one call or record may take. */
  readonly limitMs: number;
}

/** Of the time that one may take, for all of one answer: they are sent as JSON as well, and somebody waits for it. */
const SHARE_OF_ANSWER = 0.25;

/** Hides users in many calls or records while others get their turn. */
export class HidingInTurns {
  constructor(private readonly options: HidingInTurnsOptions) {}

  /** All of them. */
  all<T>(items: readonly T[]): Promise<readonly T[]> {
    return this.each(items, (item, hide) => hide(item), Number.POSITIVE_INFINITY);
  }

  /** The first ones, as many as can be made ready for one answer, but one at least. */
  forAnswer<T, O>(items: readonly T[], work: (item: T, hide: HideOne) => O): Promise<readonly O[]> {
    return this.each(items, work, this.options.limitMs * SHARE_OF_ANSWER);
  }

  /** The first ones, as many as take no longer than one may. */
  first<T, O>(items: readonly T[], work: (item: T, hide: HideOne) => O): Promise<readonly O[]> {
    return this.each(items, work, this.options.limitMs);
  }

  /** What takes too long is shown in outline: those beside it are not kept back with it. */
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
      if (!(outcome.error instanceof TookTooLong)) throw outcome.error;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- There is no outcome without its item.
      return work(items[index] as T, (data) => hiding.outline(data));
    });
  }
}

/** One call or record with the users in it hidden. */
export type HideOne = <D>(data: D) => D;
