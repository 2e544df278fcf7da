import * as fc from 'fast-check';
import { SequenceNumbers } from './sequence-numbers.js';

function numbersOf(sent: readonly number[]): SequenceNumbers {
  const [first = 0, ...others] = sent;
  const numbers = new SequenceNumbers(first & 0xff_ff);
  for (const each of others) numbers.add(each & 0xff_ff);
  return numbers;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

describe('SequenceNumbers', () => {
  it('counts losses, and a late packet not as one', () => {
    expect(numbersOf([1, 2, 5, 4, 6]).counts).toMatchObject({ expected: 6, received: 5, lost: 1, reordered: 1 });
  });

  it('does not let duplicates hide losses', () => {
    expect(numbersOf([1, 1, 2, 4, 4, 2]).counts).toMatchObject({ expected: 4, received: 3, lost: 1, duplicates: 3 });
  });

  it('continues after the largest number', () => {
    const sent = range(65_500, 65_600).filter((each) => each !== 65_536);
    expect(numbersOf(sent).counts).toMatchObject({ expected: 101, lost: 1, restarts: 0 });
  });

  it('counts over many cycles', () => {
    expect(numbersOf(range(7, 400_000)).counts).toMatchObject({ expected: 399_994, received: 399_994, lost: 0 });
  });

  it('includes a packet that arrives after a later one at the beginning', () => {
    expect(numbersOf([0, -1, 1, 2]).counts).toMatchObject({ expected: 4, received: 4, lost: 0, reordered: 1 });
  });

  it('ignores a stray packet', () => {
    expect(numbersOf([1, 2, 30_000, 3, 4]).counts).toMatchObject({ expected: 4, received: 4, lost: 0, outOfRange: 1 });
  });

  it('follows a sender that begins elsewhere, without loss', () => {
    const counts = { expected: 7, received: 7, lost: 0, restarts: 1, outOfRange: 0 };
    expect(numbersOf([1, 2, 3, 40_000, 40_001, 40_002, 40_003]).counts).toMatchObject(counts);
  });

  it('counts a dropout as a burst of loss', () => {
    const numbers = numbersOf([...range(1, 200), ...range(1_201, 1_400)]);
    numbers.end();
    expect(numbers.counts).toMatchObject({ expected: 1_400, lost: 1_000 });
    expect(numbers.decided).toEqual({ total: 1_400, lost: 1_000 });
    expect(numbers.burstMeasures).toMatchObject({ bursts: 1, burstPackets: 1_000, burstDensity: 1 });
  });

  it('agrees with a count of the set of numbers for any loss, order and duplicates', () => {
    const step = fc.record({ lost: fc.boolean(), delay: fc.nat(90), twice: fc.boolean() });
    fc.assert(
      fc.property(fc.nat(70_000), fc.array(step, { minLength: 1, maxLength: 400 }), (first, steps) => {
        const sent = steps
          .flatMap(({ lost, delay, twice }, n) =>
            lost && n > 0
              ? []
              : twice
                ? [
                    { n, delay },
                    { n, delay },
                  ]
                : [{ n, delay }],
          )
          .toSorted((a, b) => a.n + a.delay - b.n - b.delay)
          .map(({ n }) => n);
        const numbers = numbersOf(sent.map((n) => first + n));
        numbers.end();
        const unique = new Set(sent);
        const expected = Math.max(...sent) - Math.min(...sent) + 1;
        expect(numbers.counts).toMatchObject({
          expected,
          received: unique.size,
          lost: expected - unique.size,
          duplicates: sent.length - unique.size,
        });
        expect(numbers.decided).toEqual({ total: expected, lost: expected - unique.size });
      }),
    );
  });
});
