import { fuzzReaders } from '@ringdown/testing';
import { readers } from './readers.js';

/** Always the same, so that what fails once fails again; `npm run fuzz:pumps` takes others. */
const SEED = 20_260_304;
const EACH = 300;

describe('pump strings in what a sender reads', () => {
  it('take less than a second, and what is told of them is taken by a collector', () => {
    const times = fuzzReaders({ readers, inputs: EACH * readers.length, seed: SEED });
    expect(times.map(({ inputs }) => inputs)).toEqual(readers.map(() => EACH));
  });
});
