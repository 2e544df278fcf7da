import { isBackfill, feedRecordReceipt } from './back-fill.js';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const DAY = 86_400_000;

function recordAt(at?: number): { connection: { callId: string; frontEnds: []; timeStamp?: string } } {
  const timeStamp = at === undefined ? {} : { timeStamp: new Date(at).toISOString() };
  return { connection: { callId: 'c', frontEnds: [], ...timeStamp } };
}

describe('the receipt of a record', () => {
  it.each([1_000, DAY, 31 * DAY])('is its own time in a back-fill of %d ms ago', (ago) => {
    const receipt = feedRecordReceipt(recordAt(NOW - ago), { receivedAt: NOW, isBackfill: true });
    expect(receipt).toEqual({ receivedAt: NOW - ago, replayed: true });
  });

  it.each([
    ['is older than 31 days', NOW - 31 * DAY - 1],
    ['is from the future', NOW + 1],
    ['has no time', undefined],
  ])('is the time of the collector if a record of a back-fill %s', (_, at) => {
    expect(feedRecordReceipt(recordAt(at), { receivedAt: NOW, isBackfill: true })).toEqual({ receivedAt: NOW });
  });

  it('is the time of the collector without the mark', () => {
    expect(feedRecordReceipt(recordAt(NOW - DAY), { receivedAt: NOW })).toEqual({ receivedAt: NOW });
  });

  it.each([
    [{ 'ringdown-backfill': 'true' }, true],
    [{ 'ringdown-backfill': 'yes' }, false],
    [{}, false],
  ])('is marked by the headers %j: %s', (headers, expected) => expect(isBackfill({ headers })).toBe(expected));
});
