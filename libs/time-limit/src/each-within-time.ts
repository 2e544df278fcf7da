import { setImmediate as nextTick } from 'node:timers/promises';
import { onceWithinTime, TimeLimitExceeded, TRIES } from './within-time.js';

/** The result of one item. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

export interface EachOptions {
  /** When all items together have used so much CPU time, the rest is left out. */
  readonly mostMs?: number;
}

/** After so much work, other work of the event loop gets a nextTick. */
const BATCH_MS = 50;

/**
 * The result of each item, in order. Many items share one watchdog; the item that was running when the time limit was
 * reached is tried again alone, so that it does not fail because of those before it. The event loop runs in between.
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
    const error = runBatch(limitMs, items, work, outcomes);
    const { user, system } = process.threadCpuUsage(before);
    spentMs += (user + system) / 1_000;
    const isStuck = error !== undefined && outcomes.length === done;
    tries = isStuck ? tries + 1 : 0;
    if (isStuck && (!error.wasBusy || tries >= TRIES)) {
      outcomes.push({ ok: false, error });
      // The full limit, even if the CPU clock is slightly behind.
      spentMs = Math.max(spentMs, limitMs);
      tries = 0;
    }
    if (outcomes.length < items.length) await nextTick();
  }
  return outcomes;
}

/** Adds the results of the next items. Returns the reason why the item after them was interrupted. */
function runBatch<I, O>(
  limitMs: number,
  items: readonly I[],
  work: (item: I) => O,
  outcomes: Outcome<O>[],
): TimeLimitExceeded | undefined {
  const until = performance.now() + BATCH_MS;
  try {
    onceWithinTime(limitMs, () => {
      do {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- There is one; it may be undefined itself.
        const item = items[outcomes.length] as I;
        outcomes.push(workOutcome(() => work(item)));
      } while (outcomes.length < items.length && performance.now() < until);
    });
    return undefined;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return error;
    throw error;
  }
}

function workOutcome<T>(work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
