/** Records that wait, in the order in which they came, as numbers of each millisecond. */
export class Queue {
  length = 0;
  #waiting = [];

  arrive(at, count) {
    if (count === 0) return;
    this.length += count;
    this.#waiting.push({ at, count });
  }

  /** At most so many, the oldest first: `{ at, count }` of each millisecond. */
  take(most) {
    const taken = [];
    let rest = most;
    while (rest > 0 && this.#waiting.length > 0) {
      const [next] = this.#waiting;
      const count = Math.min(next.count, rest);
      taken.push({ at: next.at, count });
      rest -= count;
      next.count -= count;
      if (next.count === 0) this.#waiting.shift();
    }
    this.length -= most - rest;
    return taken;
  }
}

/** The same numbers for the same seed: mulberry32. */
export function randomFrom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** How many come in an interval in which `mean` come on the average (Knuth). */
  const poisson = (mean) => {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = next(); product > limit; product *= next()) count++;
    return count;
  };
  return { poisson, below: (count) => Math.floor(next() * count) };
}

/** The value below which that part of the records is. */
export function shareOf(list, part) {
  const sorted = list.toSorted((a, b) => a.ms - b.ms);
  let rest = part * sorted.reduce((sum, { count }) => sum + count, 0);
  return sorted.find(({ count }) => (rest -= count) <= 0)?.ms ?? 0;
}
