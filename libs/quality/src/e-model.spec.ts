import { computeQuality } from './e-model.js';

const BEST = { codec: 'PCMU/8000', lossRate: 0, burstRatio: 1, oneWayDelayMs: 0 };

describe('computeQuality', () => {
  it('gives the default rating of G.107 to G.711 without delay and loss', () => {
    expect(computeQuality(BEST)?.rating).toBeCloseTo(93.2);
    expect(computeQuality(BEST)?.mos).toBeCloseTo(4.41, 2);
  });

  it.each([
    ['the codec', { ...BEST, codec: 'G729/8000' }, 82.2, 4.1],
    ['a delay of 150 ms', { ...BEST, oneWayDelayMs: 150 }, 89.6, 4.33],
    ['a delay of 400 ms', { ...BEST, oneWayDelayMs: 400 }, 59.1, 3.05],
    ['5 % loss', { ...BEST, lossRate: 0.05 }, 77.4, 3.93],
    ['5 % loss in bursts', { ...BEST, lossRate: 0.05, burstRatio: 4 }, 75.1, 3.83],
  ])('reduces it for %s', (_what, measures, rating, mos) => {
    expect(computeQuality(measures)?.rating).toBeCloseTo(rating, 0);
    expect(computeQuality(measures)?.mos).toBeCloseTo(mos, 1);
  });

  it('stays between 1 and 4.5 for any input', () => {
    const worst = computeQuality({ ...BEST, lossRate: 1, burstRatio: 1_000, oneWayDelayMs: 1e6 });
    expect(worst).toEqual({ rating: 0, mos: 1 });
  });

  it.each(['opus/48000', 'G722/8000', 'AMR-WB/16000', 'EVS/16000', 'speex/16000', 'unknown/8000', ''])(
    'has no value for %j, which has no published impairment on the narrowband scale',
    (codec) => {
      expect(computeQuality({ ...BEST, codec })).toBeUndefined();
    },
  );
});
