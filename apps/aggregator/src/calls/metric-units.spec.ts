import { unitOf } from './metric-units.js';
import { STREAM_METRICS } from './stream-metrics.js';

describe('the unit of a metric', () => {
  it.each([
    ['BurstDensity', 'ratio'],
    ['BurstGapDensity', 'ratio'],
    ['BurstDuration', 'ms'],
    ['BurstGapDuration', 'ms'],
    // As their thresholds, far above 1.
    ['RelativeOneWayBurstDensity', 'count'],
    ['RDPTileProcessingLatencyBurstDensity', 'count'],
    ['VideoPacketLossRate', 'ratio'],
    ['Unheard', null],
  ])('of %s is %s', (metric, unit) => {
    expect(unitOf(metric)).toBe(unit);
  });

  it('is the same in a report as in statistics', () => {
    const rows = Object.values(STREAM_METRICS).flatMap(({ elements, unit }) => elements.map((name) => [name, unit]));
    expect(rows.map(([name = '']) => [name, unitOf(name)])).toEqual(rows);
  });
});
