import type { RecordEvent } from '@ringdown/xml-schemas';
import { anna, ben, example, start, stream } from '../../test/call-examples.js';
import type { FeedRecord } from './feed-record.js';
import { fold } from './fold.js';

/** Both streams end and one party sends `Bye`, in one record as in C and D. */
function bye(at: string, cseq: number): FeedRecord {
  const ended = { kind: 'ended', mediaType: 'audio' } as const;
  const events: RecordEvent[] = [
    { ...ended, from: anna, to: ben },
    { ...ended, from: ben, to: anna },
    { kind: 'bye', endpoints: [anna, ben] },
  ];
  return example(events, { at, connection: { cseq } });
}

describe('the records of a call', () => {
  it('are sorted by all seven digits of their times, regardless of the order of arrival', () => {
    const ports = [1, 2, 3].map((n) =>
      example([stream('audio', { ...anna, port: n }, ben)], { at: `00:00.123456${n}`, connection: { cseq: 9 - n } }),
    );
    for (const order of [ports, ports.toReversed()])
      expect(fold([], order).call.streams[0]?.from).toMatchObject({ port: 3 });
  });

  it('end the call once when both parties send an end with different numbers, and the first one counts', () => {
    const ends = [bye('05:00', 1), bye('05:00.17', 5)];
    for (const records of [
      [start(), ...ends],
      [...ends.toReversed(), start()],
    ]) {
      expect(fold([], records).call).toMatchObject({
        state: 'ended',
        partial: false,
        endedAt: '2026-03-02T10:05:00.000Z',
        duration: { seconds: 300, clock: 'frontEnd' },
        streams: [{ endedAt: '2026-03-02T10:05:00.000Z' }, { endedAt: '2026-03-02T10:05:00.000Z' }],
        version: 3,
      });
    }
  });
});
