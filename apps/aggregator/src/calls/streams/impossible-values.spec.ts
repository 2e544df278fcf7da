import { example, report } from '../../../test/call-examples.js';
import { countImpossibleValues } from './impossible-values.js';

describe('countImpossibleValues', () => {
  it('counts metrics outside of their bounds, and no texts', () => {
    const records = [
      example([report({ VideoPacketLossRate: 12.7, RoundTrip: 65_535, BitRateAvg: 9 })]),
      example([report({ VideoPacketLossRate: 0.5 })]),
    ];
    expect(countImpossibleValues(records)).toBe(2);
  });
});
