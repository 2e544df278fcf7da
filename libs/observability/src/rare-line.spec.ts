import { RareLine } from './rare-line.js';

describe('a rare line', () => {
  it('is said at once, then only now and then, with the number that was left out', () => {
    let now = 0;
    const line = new RareLine(1_000, () => now);
    const said: number[] = [];
    for (now of [0, 10, 999, 1_000, 1_500, 5_000]) line.say((leftOut) => said.push(leftOut));
    expect(said).toEqual([0, 2, 1]);
  });
});
