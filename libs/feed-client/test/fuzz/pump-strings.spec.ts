import { fuzzReaders } from '@ringdown/testing/fuzz/fuzz-readers';
import { readers } from './readers.js';

/** Fixed, so that a failure can be reproduced; `npm run fuzz:pumps` uses other seeds. */
const SEED = 20_260_304;
const EACH = 100;

describe('pump strings in the answers of a collector', () => {
  it('are read in less than a second', () => {
    const times = fuzzReaders({ readers, inputs: EACH * readers.length, seed: SEED });
    expect(times.map(({ inputs }) => inputs)).toEqual(readers.map(() => EACH));
  });
});
