import { partitionOfCall, PARTITIONS } from './records.js';

describe('the partition of a call', () => {
  it('is spread over all partitions and ignores the case of the CallId', () => {
    expect(partitionOfCall('ABC')).toBe(partitionOfCall('abc'));
    const used = new Set(Array.from({ length: 1_000 }, (_, i) => partitionOfCall(`call ${i}`)));
    expect(used.size).toBe(PARTITIONS);
  });
});
