import { fuzzReaders } from '@ringdown/testing/fuzz/fuzz-readers';
import { queryReaders } from './query-readers.js';
import { recordReaders } from './record-readers.js';

/** Always the same, so that a failure can be reproduced; `npm run fuzz:pumps` uses others. */
const SEED = 20_260_304;

describe('pump strings in every field of records', () => {
  it('take less than a second to read, fold, store and hide', () => {
    const times = fuzzReaders({ readers: recordReaders, inputs: 3_000, seed: SEED });
    expect(times.map(({ inputs }) => inputs)).toEqual([1_000, 1_000, 1_000]);
  });
});

describe('pump strings in parameters of the query API', () => {
  it('take less than a second to check', () => {
    expect(fuzzReaders({ readers: queryReaders, inputs: 3_000, seed: SEED })).toHaveLength(4);
  });
});
