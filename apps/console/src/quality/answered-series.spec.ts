import type { StreamStatistics } from '../api/answers.js';
import { answeredBuckets, answerSeizure } from './answered-series.js';

const NONE = { value: null, expiredCalls: 0, streams: 0, good: 0, poor: 0, bad: 0, unknown: 0 };

describe('the answer-seizure ratio', () => {
  it('is the share of answered calls of each bucket', () => {
    const answer: StreamStatistics = {
      from: '2026-11-25T10:00:00Z',
      to: '2026-11-25T13:00:00Z',
      bucketSeconds: 3_600,
      by: null,
      valuesLeftOut: 0,
      items: [
        { ...NONE, at: '2026-11-25T10:00:00Z', calls: 10, failedCalls: 2 },
        { ...NONE, at: '2026-11-25T12:00:00Z', calls: 3, failedCalls: 3 },
      ],
    };
    expect(answeredBuckets(answer).map(answerSeizure)).toEqual([0.8, null, 0]);
  });
});
