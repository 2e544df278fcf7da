import { fuzzReaders } from '@ringdown/testing';
import { readers } from './readers.js';

/** Always the same, so that what fails once fails again; `npm run fuzz:pumps` takes others. */
const SEED = 20_260_304;

describe('pump strings in token requests', () => {
  it('take less than a second to read', () => {
    expect(fuzzReaders({ readers, inputs: 1_000, seed: SEED })).toHaveLength(readers.length);
  });
});
