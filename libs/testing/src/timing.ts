/** A real difference in time shows in every attempt; the delays of a busy machine do not. */
const TRIES = 8;

/**
 * The shortest of the times, in milliseconds, that several attempts report; it stops at the first that is as short as
 * promised. Each attempt must create what it measures itself.
 */
export async function shortestMs(promisedMs: number, measure: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && shortest >= promisedMs; tries++) shortest = Math.min(shortest, await measure());
  return shortest;
}

export interface TimesToCompare {
  /** Each call does it once. */
  readonly one: () => Promise<unknown>;
  readonly other: () => Promise<unknown>;
  /** How often each is called in one attempt. */
  readonly rounds: number;
  /** The difference is divided by at least this: 4 ms against 6 ms cannot be distinguished over a network. */
  readonly atLeastMs?: number;
}

/**
 * The difference of the median times of two operations, relative to the first: 0 for no difference, 1 for twice the
 * time.
 */
export async function differenceInTime({ one, other, rounds, atLeastMs = 0 }: TimesToCompare): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > 0.25; tries++) {
    const times: [number[], number[]] = [[], []];
    // Alternating, so that other work of the machine affects both.
    for (let round = 0; round < rounds; round++) {
      times[0].push(await msOf(one));
      times[1].push(await msOf(other));
    }
    const [first, second] = [median(times[0]), median(times[1])];
    least = Math.min(least, Math.abs(first - second) / Math.max(first, atLeastMs));
  }
  return least;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
