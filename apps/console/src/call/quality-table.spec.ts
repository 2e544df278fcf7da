import type { CallQuality, Endpoint, Metric } from '../api/answers.js';
import { measuredMedia, metricRows, shownThreshold } from './quality-table.js';

const anna = { uri: 'sip:anna@example.test;gruu', id: 'a' };
const ben = { uri: 'sip:ben@example.test' };

function quality(from: Endpoint | null, to: Endpoint | null, more: Partial<CallQuality> = {}): CallQuality {
  return {
    mediaType: 'audio',
    from,
    to,
    final: true,
    reportedAt: '2026-11-21T12:00:00.000Z',
    reporters: [],
    frontEnds: [],
    startTime: null,
    endTime: null,
    connectivity: null,
    metrics: {},
    codecs: [],
    senderVerdict: 'unknown',
    ownVerdict: 'unknown',
    verdict: 'unknown',
    withheld: null,
    assumedZero: [],
    cause: null,
    ...more,
  };
}

describe('mediaOf', () => {
  it('pairs the directions of each medium, that of the caller first', () => {
    const [there, back] = [quality(anna, ben), quality(ben, anna)];
    const video = quality(ben, anna, { mediaType: 'video' });
    expect(measuredMedia([back, video, there], anna)).toEqual([
      { mediaType: 'audio', there, back },
      { mediaType: 'video', there: video, back: undefined },
    ]);
  });

  it('uses every report once, also of several streams between the same ends', () => {
    const reports = [quality(anna, ben), quality(anna, ben), quality(ben, anna), quality(ben, anna)];
    const media = measuredMedia(reports, undefined);
    expect(media).toHaveLength(2);
    expect(new Set(media.flatMap(({ there, back }) => [there, back])).size).toBe(4);
  });

  it('does not pair unknown ends, nor different devices of one user', () => {
    expect(measuredMedia([quality(null, null), quality(null, null)], undefined)).toHaveLength(2);
    const [one, other] = [
      { ...anna, id: 'a1' },
      { ...anna, id: 'a2' },
    ];
    expect(measuredMedia([quality(one, ben), quality(ben, other)], one)).toHaveLength(2);
  });
});

describe('rowsOf', () => {
  const metric = (level: NonNullable<Metric['level']>, value: Metric['value'] = 1): Metric => ({ value, level });

  it('has MOS first, then the worst of both directions, and others apart', () => {
    const there = quality(anna, ben, {
      metrics: {
        RoundTrip: metric('good'),
        Fancy: metric('unjudged'),
        PacketLossRate: metric('good'),
        DegradationAvg: metric('poor'),
      },
      mos: { computed: { value: 3.2, level: 'poor' } },
    });
    const back = quality(ben, anna, { metrics: { JitterInterArrival: metric('bad'), Fancy: metric('unjudged') } });
    const { judged, others } = metricRows({ there, back });
    expect(judged.map(({ name }) => name)).toEqual([
      'ComputedMOS',
      'JitterInterArrival',
      'DegradationAvg',
      'PacketLossRate',
      'RoundTrip',
    ]);
    expect(judged[1]).toEqual({ name: 'JitterInterArrival', there: undefined, back: metric('bad') });
    expect(others.map(({ name }) => name)).toEqual(['Fancy']);
  });

  it('shows a score once, under the name of its element', () => {
    const scored = { value: 3.9, level: 'good' } as const;
    const there = quality(anna, ben, { metrics: { SendListenMOS: scored }, mos: { listening: scored } });
    expect(metricRows({ there, back: undefined })).toEqual({
      judged: [{ name: 'SendListenMOS', there: scored, back: undefined }],
      others: [],
    });
  });

  it('has no rows without metrics, and shows metrics with the names of inherited properties', () => {
    expect(metricRows({ there: quality(anna, ben), back: undefined })).toEqual({ judged: [], others: [] });
    const metrics = { constructor: metric('unjudged'), toString: metric('bad') };
    const { judged, others } = metricRows({ there: quality(anna, ben, { metrics }), back: undefined });
    expect([judged, others].map((rows) => rows.map(({ name }) => name))).toEqual([['toString'], ['constructor']]);
  });
});

describe('thresholdOf', () => {
  it.each([
    ['a value beyond what is acceptable', 'PacketLossRate', 0.4, 'bad', 0.05, '≤ 0.05 acceptable'],
    ['a value beyond the optimum', 'PacketLossRate', 0.03, 'poor', 0.02, '≤ 0.02 optimal'],
    ['a value within the optimum', 'PacketLossRate', 0.01, 'good', 0.02, '≤ 0.02 optimal'],
    ['a low score', 'RecvListenMOS', 2.5, 'bad', 3.1, '≥ 3.1 acceptable'],
    ['a high score', 'RecvListenMOS', 4, 'good', 3.6, '≥ 3.6 optimal'],
  ] as const)('is on the right side of %s', (_what, name, value, level, threshold, shown) => {
    const found = shownThreshold(name, { value, level, threshold, thresholdFrom: 'profile' });
    expect(found && `${found.sign} ${found.value} ${found.kind}`).toBe(shown);
  });

  it('knows for which metrics more is better where the value is the threshold', () => {
    const equal = { value: 3.6, level: 'good', threshold: 3.6, unit: 'mos' } as const;
    expect(shownThreshold('RecvListenMOS', equal)?.sign).toBe('≥');
    expect(shownThreshold('DegradationAvg', equal)?.sign).toBe('≤');
    expect(shownThreshold('BitRateAvg', { ...equal, unit: 'bit/s' })?.sign).toBe('≤');
    expect(shownThreshold('FutureMOS', equal)?.sign).toBe('≥');
  });

  it('is absent for texts, and for values without a threshold', () => {
    expect(shownThreshold('CaptureDevice', { value: 'Headset', threshold: 1 })).toBeUndefined();
    expect(shownThreshold('Fancy', { value: 1, threshold: null })).toBeUndefined();
    expect(shownThreshold('Fancy', { value: 1 })).toBeUndefined();
  });
});
