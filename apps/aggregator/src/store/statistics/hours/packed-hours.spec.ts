import { array, assert, integer, maxSafeInteger, oneof, property, record, type Arbitrary } from 'fast-check';
import { forEachMinute, packMinutes, type MinuteLoad } from './packed-minutes.js';
import { PackedReader, PackedWriter } from './packed-numbers.js';
import { emptySummary, packSummary, readSummary } from './packed-summary.js';

const numbers: Arbitrary<number> = oneof(
  integer({ min: 0, max: 300 }),
  integer({ min: 0, max: 2 ** 31 - 1 }),
  maxSafeInteger().map(Math.abs),
);
const bandwidths = integer({ min: 0, max: 2 ** 31 - 1 }).map((number) => number * 1_000);
const minutes: Arbitrary<readonly MinuteLoad[]> = array(
  record({
    isThere: integer({ min: 0, max: 3 }),
    calls: numbers,
    begun: integer({ min: 0, max: 99 }),
    average: bandwidths,
    maximum: bandwidths,
  }),
  { maxLength: 60 },
).map((each) =>
  each.flatMap(({ isThere, ...load }, minute): readonly MinuteLoad[] => (isThere === 0 ? [] : [{ minute, ...load }])),
);

describe('packed hours', () => {
  it('have all numbers, also the largest ones and those below 0', () => {
    assert(
      property(array(numbers), (given) => {
        const packed = new PackedWriter();
        for (const number of given) packed.write(number);
        for (const number of given) packed.writeSigned(-Math.floor(number / 2));
        const reader = new PackedReader(packed.written);
        expect(given.map(() => reader.next())).toEqual(given);
        expect(given.map(() => reader.nextSigned() + 0)).toEqual(given.map((number) => -Math.floor(number / 2) + 0));
        expect(reader.hasEnded).toBe(true);
      }),
    );
  });

  it('have the minutes that were packed, one hour after the other', () => {
    assert(
      property(array(minutes), (hours) => {
        const packed = new PackedReader(Buffer.concat(hours.map((each, n) => packMinutes(490_000 + n, each))));
        const found = hours.map(() => {
          const read: [number, MinuteLoad][] = [];
          forEachMinute(packed, (hour, load) => read.push([hour, { ...load }]));
          return read;
        });
        expect(found).toEqual(hours.map((each, n) => each.map((load) => [490_000 + n, load])));
      }),
    );
  });

  it('have the sums and maximums of their minutes, and all minutes by size', () => {
    const summary = emptySummary();
    assert(
      property(minutes, (loads) => {
        readSummary(new PackedReader(packSummary(490_000, loads)), summary);
        const most = (of: (load: MinuteLoad) => number): number => Math.max(0, ...loads.map(of));
        const firstOf = (of: (load: MinuteLoad) => number): number =>
          loads.find((load) => of(load) === most(of))?.minute ?? 0;
        const sorted = (of: (load: MinuteLoad) => number): readonly number[] => loads.map(of).toSorted((a, b) => b - a);
        const { calls, averages, ...others } = summary;
        expect(others).toEqual({
          hour: 490_000,
          begun: loads.reduce((sum, { begun }) => sum + begun, 0),
          busiest: most(({ begun }) => begun),
          busiestMinute: firstOf(({ begun }) => begun),
          peakMinute: firstOf((load) => load.calls),
          widestMinute: firstOf(({ average }) => average),
          maximum: most(({ maximum }) => maximum),
          minutes: loads.length,
        });
        expect([...calls.subarray(0, loads.length)]).toEqual(sorted((load) => load.calls));
        expect([...averages.subarray(0, loads.length)]).toEqual(sorted(({ average }) => average));
      }),
    );
  });
});
