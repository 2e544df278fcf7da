import { partitionOf, PARTITIONS } from './records.js';

describe('the partition of a call', () => {
  it('is spread over all partitions and ignores the case of the CallId', () => {
    expect(partitionOf('ABC')).toBe(partitionOf('abc'));
    const used = new Set(Array.from({ length: 1_000 }, (_, i) => partitionOf(`call ${i}`)));
    expect(used.size).toBe(PARTITIONS);
  });
});
