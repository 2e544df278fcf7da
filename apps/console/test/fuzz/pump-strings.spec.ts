import { fuzzReaders } from '@ringdown/testing/fuzz/fuzz-readers';
import { readers } from './readers.js';

/** A fixed seed, so that a failure can be reproduced; `npm run fuzz:pumps` uses others. */
const SEED = 20_260_304;

describe('pump strings in captured messages', () => {
  it('take less than a second to read', () => {
    expect(fuzzReaders({ readers, inputs: 1_000, seed: SEED })).toHaveLength(readers.length);
  });
});
