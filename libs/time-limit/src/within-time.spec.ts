import { eachWithinTime } from './each-within-time.js';
import { TimeLimitExceeded, withinTime } from './within-time.js';

const LIMIT_MS = 100;

function forEver(): never {
  for (;;);
}

/** Practically never ends: it backtracks once for each way to divide the text. */
function hopelessExpression(): boolean {
  return /^(?:a+)+$/.test(`${'a'.repeat(60)}b`);
}

describe('work with a time limit', () => {
  it('returns its result and throws its errors', () => {
    expect(withinTime(LIMIT_MS, () => 7)).toBe(7);
    expect(withinTime(LIMIT_MS, () => undefined)).toBeUndefined();
    const error = new RangeError('wrong');
    const thrower = (): never => {
      throw error;
    };
    expect(() => withinTime(LIMIT_MS, thrower)).toThrow(error);
  });

  it.each([
    ['a loop', forEver],
    ['an expression', hopelessExpression],
    [
      'a loop that catches everything',
      (): never => {
        for (;;) {
          try {
            forEver();
          } catch {
            // Continues.
          }
        }
      },
    ],
  ])('is interrupted in %s', (_what, work) => {
    const startedAt = performance.now();
    expect(() => withinTime(LIMIT_MS, work)).toThrow(TimeLimitExceeded);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('may contain other work with its own limit', () => {
    expect(() =>
      withinTime(60_000, () => {
        withinTime(LIMIT_MS, forEver);
      }),
    ).toThrow(TimeLimitExceeded);
    expect(withinTime(60_000, () => withinTime(LIMIT_MS, () => 3) + withinTime(LIMIT_MS, () => 4))).toBe(7);
  });

  it('is retried when the process was stopped and the work itself did not use the time', () => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    let tries = 0;
    const work = (): number => {
      // At the first attempt, another program uses the CPU.
      if (++tries === 1) Atomics.wait(cell, 0, 0, LIMIT_MS * 3);
      for (let n = 0; n < 1_000; n++) Math.sqrt(n);
      return tries;
    };
    expect(withinTime(LIMIT_MS, work)).toBe(2);
  });
});

describe('many items within a time limit', () => {
  it('are run one after the other; failed or slow ones do not prevent the others', async () => {
    const error = new Error('wrong');
    const work = (item: number): number => {
      if (item === 3) forEver();
      if (item === 5) throw error;
      return item * 2;
    };
    expect(await eachWithinTime(LIMIT_MS, [1, 2, 3, 4, 5, 6], work)).toEqual([
      { ok: true, value: 2 },
      { ok: true, value: 4 },
      { ok: false, error: expect.any(TimeLimitExceeded) },
      { ok: true, value: 8 },
      { ok: false, error },
      { ok: true, value: 12 },
    ]);
    expect(await eachWithinTime(LIMIT_MS, [], work)).toEqual([]);
  });

  it('may take longer together than the limit for one', async () => {
    // Long enough for a machine that is busy with others.
    const limitMs = 5 * LIMIT_MS;
    const work = (item: number): number => {
      const until = performance.now() + limitMs / 10;
      while (performance.now() < until);
      return item;
    };
    const items = Array.from({ length: 12 }, (_, n) => n);
    const outcomes = await eachWithinTime(limitMs, items, work);
    expect(outcomes.map((outcome) => outcome.ok && outcome.value)).toEqual(items);
  });
});
