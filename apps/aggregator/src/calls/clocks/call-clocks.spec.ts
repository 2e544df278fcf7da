import { anna, ben, example, report, start, stream } from '../../../test/call-examples.js';
import type { Call } from '../call.js';
import { alignClocks } from './clock-alignment.js';
import { deriveCall } from '../derive-call.js';
import type { FeedRecord } from '../feed-record.js';

function derivedCall(...records: readonly FeedRecord[]): Call {
  return deriveCall(records).call;
}

function update(port: number, cseq: number, at: string, frontEnd: string): FeedRecord {
  return example([stream('audio', { ...anna, port }, ben)], { at, frontEnd, connection: { cseq } });
}

describe('the clocks of a call', () => {
  it('distinguish our clock, those of front ends and those of clients', () => {
    const connection = {
      originator: 'e1',
      startTime: '2026-03-02T09:59:30.0000Z',
      endTime: '2026-03-02T10:04:30.0000Z',
    };
    const measured = example([report({})], { at: '05:01', connection, receivedAt: Date.parse('2026-03-02T10:06:00Z') });
    const call = derivedCall(start(), measured);
    expect(call).toMatchObject({
      startedAt: '2026-03-02T10:00:00.000Z',
      firstReceivedAt: '2026-03-02T10:00:00.500Z',
      lastReceivedAt: '2026-03-02T10:06:00.000Z',
      quality: [{ startTime: '2026-03-02T09:59:30.000Z', endTime: '2026-03-02T10:04:30.000Z' }],
    });
    expect(call.clocks).toEqual([
      { clock: 'frontEnd', name: 'fe1.example.test', skewSeconds: 0.5, records: 2 },
      { clock: 'endpoint', name: 'e1', skewSeconds: 31, records: 1 },
    ]);
  });

  it('belong to the end that describes its machine, or to no one', () => {
    const connection = { endTime: '2026-03-02T10:04:59Z' };
    const of = (to: object): unknown =>
      derivedCall(example([report({}, { to: { ...ben, ...to } })], { at: '05:00', connection })).clocks[1];
    expect(of({ os: 'Windows' })).toMatchObject({ clock: 'endpoint', name: 'e2', skewSeconds: 1 });
    expect(of({})).toMatchObject({ clock: 'endpoint', name: null, skewSeconds: 1 });
  });

  it('omit records without a time', () => {
    const { timeStamp: _none, ...connection } = start().record.connection;
    const untimed = { ...start(), record: { ...start().record, connection } };
    expect(derivedCall(untimed).clocks).toEqual([]);
  });
});

describe('a clock that is ahead of the time of receipt', () => {
  const receivedAt = Date.parse('2026-03-02T10:00:01Z');

  function sentAt(timeStamp: string): Call {
    const { record, ...rest } = start();
    return derivedCall({ ...rest, receivedAt, record: { ...record, connection: { ...record.connection, timeStamp } } });
  }

  it('is accepted when the difference may be a time zone', () => {
    expect(sentAt('2026-03-03T00:00:00Z')).toMatchObject({ beganAt: '2026-03-03T00:00:00.000Z' });
  });

  it('is not accepted when it is ahead by more than a day, and the difference stays visible', () => {
    const call = sentAt('2099-01-01T00:00:00Z');
    expect(call).toMatchObject({ beganAt: '2026-03-02T10:00:01.000Z', startedAt: '2026-03-02T10:00:01.000Z' });
    expect(call.clocks[0]?.skewSeconds).toBeLessThan(-70 * 365 * 86_400);
  });
});

describe('front ends with different clocks', () => {
  const first = [update(1, 1, '00:00', 'fe1'), update(2, 2, '00:10', 'fe1'), update(3, 3, '00:20', 'fe1')];
  const second = [update(1, 1, '00:40', 'fe2'), update(2, 2, '00:50', 'fe2'), update(3, 3, '00:60', 'fe2')];

  it('are aligned by the events that both reported', () => {
    const alignment = alignClocks([...first, ...second]);
    expect(alignment.offsetOf('feed fe2')).toBe(-40_000);
    expect(alignment.groupOf('feed fe2')).toBe(alignment.groupOf('feed fe1'));
  });

  it('do not make an old change from the other front end the newest one', () => {
    for (const [a, b] of [
      [first, second],
      [second, first],
    ] as const) {
      expect(derivedCall(...a, ...b.slice(0, 2)).streams[0]?.from?.port).toBe(3);
    }
  });

  it('are not compared when they have no event in common', () => {
    const alignment = alignClocks([...first, update(9, 9, '00:50', 'fe2')]);
    expect(alignment.offsetOf('feed fe2')).toBe(0);
    expect(alignment.groupOf('feed fe2')).not.toBe(alignment.groupOf('feed fe1'));
  });

  it('are not compared when there are more of them than a call can pass', () => {
    const many = Array.from({ length: 40 }, (_, n) => update(n, 1, '00:00', `fe${n}`));
    expect(alignClocks(many).offsetOf('feed fe3')).toBe(0);
    expect(derivedCall(...many).frontEnds).toHaveLength(40);
  });
});

describe('the links between a call and others', () => {
  const conference = 'sip:anna@example.test;gruu;opaque=app:conf:audio-video:id:HPKWKC6L';

  it('are read from its records', () => {
    const connection = { conversationId: 'conv', conferenceId: 'CONF', correlationId: 'corr' };
    expect(derivedCall(start({ connection }))).toMatchObject(connection);
  });

  it.each([
    ['an end of the call', example([stream('audio', anna, { ...ben, uri: conference })])],
    ['a contact', example([stream('audio', anna, { ...ben, contact: conference })])],
    ['the address of the conference', start({ connection: { conferenceUri: conference } })],
  ])('find the conference in %s when no element names it', (_where, record) => {
    expect(derivedCall(record).conferenceId).toBe('HPKWKC6L');
    expect(derivedCall(record, start({ connection: { conferenceId: 'NAMED' } })).conferenceId).toBe('NAMED');
  });

  it('are null when the records contain none', () => {
    expect(derivedCall(start())).toMatchObject({ conversationId: null, conferenceId: null, correlationId: null });
  });
});
