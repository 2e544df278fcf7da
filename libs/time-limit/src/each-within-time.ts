import { setImmediate as turn } from 'node:timers/promises';
import { onceWithinTime, TookTooLong, TRIES } from './within-time.js';

/** What became of one item. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

export interface EachOptions {
  /** When they have taken so long together, of the processor, the rest is left out. */
  readonly mostMs?: number;
}

/** After so much work others get their turn. */
const TURN_MS = 50;

/**
 * What becomes of each item, in order. Many share one watch over the time; the one at which the time ran out is tried again
 * by itself, so that it is not blamed for those before it. Others get their turn in between.
 */
export async function eachWithinTime<I, O>(
  limitMs: number,
  items: readonly I[],
  work: (item: I) => O,
  { mostMs = Number.POSITIVE_INFINITY }: EachOptions = {},
): Promise<readonly Outcome<O>[]> {
  const outcomes: Outcome<O>[] = [];
  let [tries, spentMs] = [0, 0];
  while (outcomes.length < items.length && (outcomes.length === 0 || spentMs < mostMs)) {
    const done = outcomes.length;
    const before = process.threadCpuUsage();
    const error = oneTurn(limitMs, items, work, outcomes);
    const { user, system } = process.threadCpuUsage(before);
    spentMs += (user + system) / 1_000;
    const isStuck = error !== undefined && outcomes.length === done;
    tries = isStuck ? tries + 1 : 0;
    if (isStuck && (!error.wasBusy || tries >= TRIES)) {
      outcomes.push({ ok: false, error });
      // All of it, whatever the clock of the processor says of the last millisecond.
      spentMs = Math.max(spentMs, limitMs);
      tries = 0;
    }
    if (outcomes.length < items.length) await turn();
  }
  return outcomes;
}

/** Adds what becomes of the next items. What it returns is why it could not go on with the one behind them. */
function oneTurn<I, O>(
  limitMs: number,
  items: readonly I[],
  work: (item: I) => O,
  outcomes: Outcome<O>[],
): TookTooLong | undefined {
  const until = performance.now() + TURN_MS;
  try {
    onceWithinTime(limitMs, () => {
      do {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- There is one; it may be undefined itself.
        const item = items[outcomes.length] as I;
        outcomes.push(outcomeOf(() => work(item)));
      } while (outcomes.length < items.length && performance.now() < until);
    });
    return undefined;
  } catch (error) {
    if (error instanceof TookTooLong) return error;
    throw error;
  }
}

function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
