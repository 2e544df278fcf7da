import { Dice } from './dice.js';
import { fuzzReaders, SlowOrFailed } from './fuzz-readers.js';
import { fuzzedReader } from './fuzzed-reader.js';
import { pumpString } from './pumps.js';

const text = (dice: Dice): string => pumpString(dice, 400_000);

class Refused extends Error {}

function busyFor(ms: number): void {
  const begun = process.threadCpuUsage().user;
  while (process.threadCpuUsage().user - begun < ms * 1_000);
}

describe('fuzzing of readers', () => {
  it('gives each reader the same number of inputs, and equal inputs for the same seed', () => {
    const read = (): string[] => {
      const seen: string[] = [];
      const readers = ['one', 'other'].map((name) => fuzzedReader(name, text, (input) => seen.push(name + input)));
      expect(fuzzReaders({ readers, inputs: 100, seed: 7 }).map(({ inputs }) => inputs)).toEqual([50, 50]);
      return seen;
    };
    expect(new Set(read())).toEqual(new Set(read()));
    expect(new Set(read()).size).toBeGreaterThan(50);
  });

  it('fails on an input that takes longer than the limit on every attempt, and reports it', () => {
    const readers = [
      fuzzedReader(
        'quadratic',
        () => 'aaa',
        () => busyFor(60),
      ),
    ];
    const fuzz = (): unknown => fuzzReaders({ readers, inputs: 3, seed: 7, limitMs: 50 });
    expect(fuzz).toThrow(SlowOrFailed);
    expect(fuzz).toThrow(/input 0 of seed 7 for "quadratic": "aaa"/);
  });

  it('does not fail on an input that is slow only once', () => {
    let times = 0;
    const readers = [
      fuzzedReader(
        'interrupted',
        () => 'a',
        () => (times++ === 0 ? busyFor(60) : undefined),
      ),
    ];
    expect(fuzzReaders({ readers, inputs: 1, seed: 7, limitMs: 50 })[0]?.slowestMs).toBeLessThan(50);
  });

  it('fails on an error that is not an expected rejection', () => {
    const throwing = (error: Error): unknown => {
      const readers = [fuzzedReader('failing', text, () => raise(error), [Refused])];
      return fuzzReaders({ readers, inputs: 1, seed: 7 });
    };
    expect(() => throwing(new TypeError('of undefined'))).toThrow(SlowOrFailed);
    expect(() => throwing(new Refused())).not.toThrow();
  });
});

function raise(error: Error): never {
  throw error;
}

describe('a pump string', () => {
  it('is often short, sometimes of the maximum length, and never longer', () => {
    const lengths = Array.from({ length: 20_000 }, (_, seed) => pumpString(new Dice(seed), 5_000).length);
    expect(Math.max(...lengths)).toBe(5_000);
    expect(lengths.filter((length) => length < 100).length).toBeGreaterThan(10_000);
  });
});
