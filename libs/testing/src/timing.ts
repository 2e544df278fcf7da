/** What tells two things apart by their time tells them apart in every try; what a busy machine does, it does not do in all. */
const TRIES = 8;

/**
 * The shortest of the times, in milliseconds, that several tries report; the last one is the first that is as short as
 * promised. Each has to make what it measures anew.
 */
export async function shortestMs(promisedMs: number, measure: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && shortest >= promisedMs; tries++) shortest = Math.min(shortest, await measure());
  return shortest;
}

export interface TimesToCompare {
  /** Each does the thing once. */
  readonly one: () => Promise<unknown>;
  readonly other: () => Promise<unknown>;
  /** How often each is done in one try. */
  readonly rounds: number;
  /** Differences below so many milliseconds count in part only: 4 ms against 6 ms are of no use over a network. */
  readonly atLeastMs?: number;
}

/** How far the median times of two things are apart, as a part of the first one's: 0 for no difference, 1 for one more time. */
export async function differenceInTime({ one, other, rounds, atLeastMs = 0 }: TimesToCompare): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > 0.25; tries++) {
    const times: [number[], number[]] = [[], []];
    // In turns, so that whatever else the machine does falls on both.
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
