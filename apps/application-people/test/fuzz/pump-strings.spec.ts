import { fuzzReaders } from '@ringdown/testing/fuzz/fuzz-readers';
import { readers } from './readers.js';

/** A fixed seed, so that a failure can be reproduced; `npm run fuzz:pumps` uses others. */
const SEED = 20_260_304;
const EACH = 100;

describe('pump strings in what clients send', () => {
  it('take less than a second to read', () => {
    const times = fuzzReaders({ readers, inputs: EACH * readers.length, seed: SEED });
    expect(times.map(({ inputs }) => inputs)).toEqual(readers.map(() => EACH));
  });
});
