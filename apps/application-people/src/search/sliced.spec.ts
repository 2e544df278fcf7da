import { setImmediate as turn } from 'node:timers/promises';
import { atOnce, inSlices, sortedInSlices, type Sliced } from './sliced.js';

describe('work in slices', () => {
  function* busy(ms: number): Sliced<string> {
    const until = performance.now() + ms;
    while (performance.now() < until) yield;
    return 'done';
  }

  it('lets others go on in between', async () => {
    let turns = 0;
    const counting = new AbortController();
    const others = (async () => {
      for (; !counting.signal.aborted; turns++) await turn();
    })();
    expect(await inSlices(busy(60))).toBe('done');
    counting.abort();
    await others;
    expect(turns).toBeGreaterThan(3);
  });

  it('ends when it is told to', async () => {
    const stopping = new AbortController();
    const working = inSlices(busy(60_000), stopping.signal);
    stopping.abort(new Error('enough'));
    await expect(working).rejects.toThrow('enough');
  });

  it.each([0, 1, 511, 512, 513, 1_024, 5_000, 40_001])('sorts %d numbers as a plain sort does', (count) => {
    const numbers = Uint32Array.from({ length: count }, (_, at) => (at * 7_919) % 65_537);
    const expected = numbers.toSorted((a, b) => a - b);
    expect(atOnce(sortedInSlices(numbers, (a, b) => a - b))).toEqual(expected);
  });
});
