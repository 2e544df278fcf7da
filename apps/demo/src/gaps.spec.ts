import { gapsBetween, UNKNOWN_PAST } from './gaps.js';
import { isDuring } from './calls/story.js';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 2, 4, 9, 0);
const PAST = { from: BEGIN, to: BEGIN + 60 * MINUTE };

/** Minutes after the begin, as the system counts calls. */
function gapsWith(minutes: readonly number[]): readonly (readonly [number, number])[] {
  const gaps = gapsBetween(
    minutes.map((minute) => BEGIN + minute * MINUTE),
    PAST,
  );
  return gaps.map(({ from, to }) => [(from - BEGIN) / MINUTE, (to - BEGIN) / MINUTE]);
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

describe('the gaps that the demo fills in', () => {
  it('are the whole past when the system has no call of it', () => {
    expect(gapsWith([])).toEqual([[0, Infinity]]);
  });

  it('are the older part after an interrupted back-fill, up to the first minute with a call', () => {
    expect(gapsWith(range(35, 60))).toEqual([[0, 35]]);
  });

  it('are the time in which no demo ran, from minute to minute', () => {
    expect(gapsWith([...range(0, 13), ...range(47, 60)])).toEqual([[13, 47]]);
    expect(gapsWith([...range(0, 13), 30])).toEqual([
      [13, 30],
      [31, Infinity],
    ]);
  });

  it('are not the few minutes without a call of a quiet hour or a short stop', () => {
    expect(gapsWith([0, 9, 19, 29, 39, 49, 59])).toEqual([]);
    expect(gapsWith(range(0, 51))).toEqual([]);
  });

  it('do not depend on the order in which minutes are read', () => {
    expect(gapsWith([...range(40, 60), ...range(0, 20)])).toEqual([[20, 40]]);
  });

  it('are all of time when nothing is known', () => {
    expect(UNKNOWN_PAST.some((gap) => isDuring(gap, BEGIN))).toBe(true);
  });
});
