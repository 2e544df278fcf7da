import { defaultProfiles } from '@ringdown/quality/thresholds';
import type { QualityEvent } from '@ringdown/xml-schemas/record';
import { anna, ben, example, report } from '../../../test/call-examples.js';
import type { FeedRecord } from '../feed-record.js';
import { metricSeries } from './metric-series.js';

/** `at`: `MM:SS`. */
function audio(at: string, jitter: number, more: Partial<QualityEvent> = {}): FeedRecord {
  const event = report({ JitterInterArrival: jitter }, { mediaType: 'audio', kind: 'inCallQuality', ...more });
  return example([event], { at, version: 'D' });
}

describe('the metrics of a call over time', () => {
  it('are those of all reports on a stream, in the order of their times', () => {
    const records = [audio('05:00', 30, { kind: 'qualityUpdate' }), audio('02:00', 20), audio('01:00', 10)];
    const [series, ...others] = metricSeries(records, defaultProfiles);
    expect(others).toEqual([]);
    expect(series).toMatchObject({ mediaType: 'audio', from: { uri: anna.uri }, to: { uri: ben.uri } });
    const points = series?.points ?? [];
    expect(points.map(({ at, final, metrics }) => [at, final, metrics['JitterInterArrival']?.level])).toEqual([
      ['2026-03-02T10:01:00.000Z', false, 'good'],
      ['2026-03-02T10:02:00.000Z', false, 'poor'],
      ['2026-03-02T10:05:00.000Z', true, 'bad'],
    ]);
  });

  it('are kept apart by direction, and bounded', () => {
    const many = Array.from({ length: 2_100 }, (_, n) => audio(`00:${(n / 100).toFixed(2).padStart(5, '0')}`, n % 20));
    const found = metricSeries([...many, audio('00:00', 5, { from: ben, to: anna })], defaultProfiles);
    expect(found.map(({ points }) => points.length).sort((a, b) => a - b)).toEqual([1, 2_000]);
  });
});
