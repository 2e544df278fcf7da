import { RestartPauses } from './restart-pauses.js';

describe('the pauses before a server is started again', () => {
  let now = 0;
  const pausesOf = (pauses: RestartPauses, starts: number): readonly number[] =>
    Array.from({ length: starts }, () => pauses.next());

  it('grow with each start that fails', () => {
    expect(pausesOf(new RestartPauses(), 6)).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('grow with each end that comes soon, and begin anew after minutes of work', () => {
    const pauses = new RestartPauses(() => now);
    const found: unknown[] = [];
    for (const ranMs of [1_000, 1_000, 119_999, 120_000]) {
      pauses.ready();
      now += ranMs;
      found.push([pauses.endsAgain(), pauses.next()]);
    }
    expect(found).toEqual([
      [false, 1_000],
      [true, 2_000],
      [true, 4_000],
      [false, 1_000],
    ]);
  });
});
