import { anna, ben, end, example, failure, report, start } from '../../../test/call-examples.js';
import { deriveCall } from '../derive-call.js';
import type { FeedRecord } from '../feed-record.js';
import { isSettled } from './settled-call.js';

const RECEIVED = Date.parse('2026-03-02T10:00:00.500Z');
const DAY = 86_400_000;
const MEDIUM = { mediaType: 'audio' };
const ends = { there: { from: anna, to: ben }, back: { from: ben, to: anna } };

/** A final report of one direction. */
function of(direction: keyof typeof ends): FeedRecord {
  return example([report({ PacketLossRate: 0.01 }, { ...MEDIUM, ...ends[direction] })], { at: '05:01' });
}

describe('a call', () => {
  it.each<[string, readonly FeedRecord[], boolean]>([
    ['goes on', [start()], false],
    ['has failed', [failure(403)], true],
    ['has ended without a report', [start(), end()], false],
    ['has ended with the report of one side', [start(), end(), of('there')], false],
    ['has ended with the reports of both sides', [start(), end(), of('there'), of('back')], true],
    ['goes on, though both sides have reported', [start(), of('there'), of('back')], false],
  ])('that %s: whether it is settled at once', (_what, records, expected) => {
    expect(isSettled(deriveCall(records), RECEIVED)).toBe(expected);
  });

  it('that has ended is settled when no report is expected any more', () => {
    const derived = deriveCall([start(), end()]);
    const settlesAt = Date.parse(derived.call.settlesAt ?? '');
    expect(isSettled(derived, settlesAt - 1)).toBe(false);
    expect(isSettled(derived, settlesAt)).toBe(true);
    expect(isSettled(deriveCall([start()]), RECEIVED + 10 * DAY)).toBe(false);
  });
});
