import { partitionOf, PARTITIONS } from './subjects.js';

describe('the partition of a call', () => {
  it('spreads calls over all partitions and compares CallIds case-blind', () => {
    expect(partitionOf('ABC')).toBe(partitionOf('abc'));
    const used = new Set(Array.from({ length: 1_000 }, (_, i) => partitionOf(`call ${i}`)));
    expect(used.size).toBe(PARTITIONS);
  });
});
