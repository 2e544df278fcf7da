import { setImmediate as turn } from 'node:timers/promises';
import { atOnce, inSlices, sortedInSlices, type Sliced } from './sliced.js';

describe('work in slices', () => {
  function* busy(ms: number): Sliced<string> {
    const until = performance.now() + ms;
    while (performance.now() < until) yield;
    return 'done';
  }

  const LONG_MS = 5;

  /** Each step is longer than a slice, so that there are as many slices as steps. */
  function* longSteps(count: number): Sliced<string> {
    for (let step = 0; step < count; step++) {
      const until = performance.now() + LONG_MS;
      while (performance.now() < until);
      yield;
    }
    return 'done';
  }

  it('lets other work run in between', async () => {
    let turns = 0;
    const counting = new AbortController();
    const others = (async () => {
      for (; !counting.signal.aborted; turns++) await turn();
    })();
    expect(await inSlices(longSteps(10))).toBe('done');
    counting.abort();
    await others;
    expect(turns).toBeGreaterThan(3);
  });

  it('leaves most of the time to other work when it is not urgent', async () => {
    const started = performance.now();
    expect(await inSlices(longSteps(10), { pauseMs: 20 })).toBe('done');
    expect(performance.now() - started).toBeGreaterThan(10 * (LONG_MS + 15));
  });

  it('stops when it is aborted', async () => {
    const stopping = new AbortController();
    const working = inSlices(busy(60_000), { signal: stopping.signal });
    stopping.abort(new Error('enough'));
    await expect(working).rejects.toThrow('enough');
  });

  it.each([0, 1, 511, 512, 513, 1_024, 5_000, 40_001])('sorts %d numbers as a plain sort does', (count) => {
    const numbers = Uint32Array.from({ length: count }, (_, at) => (at * 7_919) % 65_537);
    const expected = numbers.toSorted((a, b) => a - b);
    expect(atOnce(sortedInSlices(numbers, (a, b) => a - b))).toEqual(expected);
  });
});
