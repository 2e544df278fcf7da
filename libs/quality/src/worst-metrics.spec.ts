import { worstMetrics } from './worst-metrics.js';

describe('the worst metrics of a call', () => {
  it('are the highest of all streams, and the lowest MOS', () => {
    const streams = [{ loss: 0.01, jitter: 30, mos: 4.1 }, {}, { loss: 0.2, jitter: 5, mos: 3.2 }];
    expect(worstMetrics(streams)).toEqual({ loss: 0.2, jitter: 30, roundTrip: null, mos: 3.2 });
  });

  it('are unknown without streams', () => {
    expect(worstMetrics([])).toEqual({ loss: null, jitter: null, roundTrip: null, mos: null });
  });
});
