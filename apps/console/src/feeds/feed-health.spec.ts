import type { FeedPartition } from '../api/answers.js';
import { countName, serviceHealth, feedLag, formatRate, silence } from './feed-health.js';

const partition = (more: Partial<FeedPartition> = {}): FeedPartition => {
  return { partition: 0, subject: 0, replica: 'a', waitingMessages: 0, lagSeconds: 0, ...more };
};

describe('the health of the feeds', () => {
  it('reports a front end that has been silent for long', () => {
    const lastSeen = '2026-03-02T10:00:00Z';
    const at = Date.parse(lastSeen);
    const few = { lastSeen, usualIntervalSeconds: null };
    expect(silence(few, at + 899_999)).toBeUndefined();
    expect(silence(few, at + 900_000)).toEqual({ state: 'poor', milliseconds: 900_000 });
    // The collector's clock may be ahead of the viewer's.
    expect(silence(few, at - 5_000)).toBeUndefined();
  });

  it.each([
    [0.1, 179, undefined],
    [0.1, 180, 'poor'],
    [120, 359, undefined],
    [120, 360, 'poor'],
    [120, 1_199, 'poor'],
    [120, 1_200, 'bad'],
    [43_200, 86_400, undefined],
  ])('marks a feed with an interval of %s s after %s s of silence as %s', (usualIntervalSeconds, seconds, state) => {
    const lastSeen = '2026-03-02T10:00:00Z';
    const now = Date.parse(lastSeen) + seconds * 1_000;
    expect(silence({ lastSeen, usualIntervalSeconds }, now)?.state).toBe(state);
  });

  it('reports how far the calls are behind the feed', () => {
    expect(feedLag([partition(), partition()])).toEqual({ state: 'good', words: 'up to date', messages: 0 });
    expect(
      feedLag([partition({ waitingMessages: 3, lagSeconds: 0.4 }), partition({ subject: 1, waitingMessages: 2 })]),
    ).toEqual({
      state: 'good',
      words: 'up to date',
      messages: 5,
    });
    expect(feedLag([partition(), partition({ waitingMessages: 9, lagSeconds: 12.3 })])).toMatchObject({
      state: 'poor',
      words: '12\u00A0s behind the feed',
    });
    expect(feedLag([partition({ waitingMessages: 9, lagSeconds: 61 })]).state).toBe('bad');
  });

  it('counts messages once that several partitions wait for', () => {
    const [ahead, behind] = [partition({ waitingMessages: 2 }), partition({ partition: 8, waitingMessages: 7 })];
    const other = partition({ partition: 1, subject: 1, waitingMessages: 4 });
    expect(feedLag([ahead, behind, other])).toMatchObject({ messages: 11 });
  });

  it('reports a partition without a reader first', () => {
    const unread = partition({ replica: null, lagSeconds: 99 });
    expect(feedLag([partition(), unread])).toMatchObject({ state: 'bad', words: '1 of 2 partitions are not read' });
    expect(feedLag([unread, unread]).words).toBe('no replica reads the feed');
  });

  it('lists the problems of a service, the worst first', () => {
    expect(serviceHealth({ counts: { accepted: 5, unavailable: 0 } }, String)).toEqual({
      state: 'good',
      words: 'running',
    });
    expect(serviceHealth({ counts: { dropped: 2, failing: 1 } }, String)).toEqual({
      state: 'bad',
      words: 'subscribers not responding: 1',
    });
    expect(serviceHealth({ counts: { dropped: 2 } }, String).state).toBe('poor');
    expect(serviceHealth({ counts: {} }, String).state).toBe('good');
  });

  it('formats rates and names of counts for readers', () => {
    expect([0, 0.04, 0.44, 9.96, 10.4, 1_200].map(formatRate)).toEqual(['0', '<0.1', '0.4', '10.0', '10', '1200']);
    expect(['setAside', 'folded', 'accepted'].map(countName)).toEqual(['dead letters', 'processed', 'accepted']);
  });
});
