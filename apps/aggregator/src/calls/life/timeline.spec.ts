import type { RecordEvent } from '@ringdown/xml-schemas/record';
import * as fc from 'fast-check';
import { anna, ben, example, failure, start, stream, type ExampleOptions } from '../../../test/call-examples.js';
import type { FeedRecord } from '../feed-record.js';
import { fold } from '../fold.js';

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

  it('with one time follow each other as request and response, with or without request numbers', () => {
    const number = fc.option(fc.nat(3), { nil: undefined });
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 3 }), number, fc.nat(), (requests, response, user) => {
        const invitations = requests.map((cseq) => invitation(`sip:${user}@example.test`, cseq));
        const error = failure(486, { at: '00:00', ...numbered(response) });
        const isOfLast = response === undefined || requests.every((cseq = 0) => cseq <= response);
        const { call } = fold([], [error, ...invitations]);
        expect(call.state).toBe(isOfLast ? 'failed' : 'invited');
        expect(fold([], [...invitations, error]).call).toEqual(call);
      }),
      { numRuns: 300 },
    );
  });

  it('of version A with one time start the streams before the error ends them', () => {
    fc.assert(
      fc.property(fc.nat(65_535), (port) => {
        const streams = [stream('audio', { ...anna, port }, ben), stream('audio', ben, anna)];
        const started = example(streams, { version: 'A' });
        const error = failure(500, { at: '00:00', version: 'A' });
        expect(fold([], [error, started]).call).toMatchObject({ state: 'ended', endReason: 'error' });
      }),
    );
  });
});

/** The records of a request and its copies differ by their content. */
function invitation(caller: string, cseq: number | undefined): FeedRecord {
  return example([{ kind: 'invite', caller: { uri: caller }, callee: { uri: ben.uri ?? '' } }], {
    version: 'D',
    ...numbered(cseq),
  });
}

function numbered(cseq: number | undefined): Pick<ExampleOptions, 'connection'> {
  return { connection: cseq === undefined ? {} : { cseq } };
}
