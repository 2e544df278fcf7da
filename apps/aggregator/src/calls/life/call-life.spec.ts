import type { RecordEvent, StreamEvent } from '@ringdown/xml-schemas/record';
import {
  anna,
  ben,
  end,
  example,
  failure,
  report,
  start,
  stream,
  type ExampleOptions,
} from '../../../test/call-examples.js';
import type { Call } from '../call.js';
import { deriveCall, defaultRules, type DerivedCall } from '../derive-call.js';
import type { FeedRecord } from '../feed-record.js';

const RECEIVED = Date.parse('2026-03-02T10:00:00.500Z');
const MINUTE = 60_000;
const DAY = 86_400_000;

/** The call at a moment of our clock, counted from the arrival of its records. */
function at(millis: number, ...records: readonly FeedRecord[]): DerivedCall {
  return deriveCall(records, defaultRules, { checkedAt: RECEIVED + millis, revisions: 1 });
}

function derivedCall(...records: readonly FeedRecord[]): Call {
  return deriveCall(records).call;
}

function invite(cseq: number, options: ExampleOptions = {}): FeedRecord {
  const event: RecordEvent = { kind: 'invite', caller: anna, callee: { uri: ben.uri ?? '' } };
  return example([event], { ...options, connection: { cseq, ...options.connection } });
}

function final(options: ExampleOptions = {}): FeedRecord {
  return example([report({}, { mediaType: 'audio' })], { at: '05:01', ...options });
}

function ofVersion(version: string, record: FeedRecord): FeedRecord {
  return { ...record, record: { ...record.record, version } };
}

describe('a call whose end was lost', () => {
  it('expires a day after its last sign of life, by our clock', () => {
    expect(at(DAY - 1, start()).call).toMatchObject({ state: 'active', endReason: null });
    expect(at(DAY, start())).toMatchObject({
      call: {
        state: 'expired',
        endReason: 'expired',
        endedAt: null,
        duration: null,
        settlesAt: '2026-03-03T10:00:15.500Z',
        streams: [{ state: 'ended', endedAt: null }, { state: 'ended' }],
      },
      waiting: undefined,
    });
  });

  it('stays in progress while records of it arrive', () => {
    const update = example([stream('audio', anna, ben)], { at: '30:00', receivedAt: RECEIVED + 30 * MINUTE });
    expect(at(DAY, start(), update).call.state).toBe('active');
    expect(at(DAY, start(), update).waiting).toEqual({ timeout: 'call', since: RECEIVED + 30 * MINUTE });
    expect(at(DAY + 30 * MINUTE, start(), update).call.state).toBe('expired');
  });

  it('is not in progress when only a quality report arrives', () => {
    const late = final({ receivedAt: RECEIVED + DAY });
    const video = example([stream('video', anna, ben)]);
    expect(at(DAY, start(), video, late).call).toMatchObject({ state: 'expired', lateRecords: 0 });
  });

  it('is restored when it was not lost, and ends when its end arrives late', () => {
    const measured = example([report({}, { kind: 'inCallQuality', mediaType: 'audio' })], {
      receivedAt: RECEIVED + DAY + 1,
    });
    expect(at(DAY, start(), measured).call).toMatchObject({ state: 'active', endReason: null, settlesAt: null });
    expect(at(DAY, start(), end({ receivedAt: RECEIVED + DAY + 1 })).call).toMatchObject({
      state: 'ended',
      endReason: 'ended',
      duration: { seconds: 300, clock: 'frontEnd' },
    });
  });

  it('is over when the final reports on all streams arrived and no end follows', () => {
    const reported = final({ connection: { startTime: '2026-03-02T10:00:00Z', endTime: '2026-03-02T10:05:00Z' } });
    expect(derivedCall(start(), reported).state).toBe('active');
    expect(at(14_999, start(), reported).call.state).toBe('active');
    expect(at(15_000, start(), reported).call).toMatchObject({
      state: 'ended',
      endReason: 'reported',
      endedAt: null,
      duration: { seconds: 300, clock: 'client' },
    });
  });

  it('is not over when a stream continues after its report, or has none', () => {
    const again = example([stream('audio', anna, ben, { kind: 'update' })], { at: '05:02' });
    expect(at(MINUTE, start(), final(), again).call.state).toBe('active');
    expect(at(MINUTE, start(), example([stream('video', anna, ben)]), final()).call.state).toBe('active');
  });

  it('expires also when only its header is known', () => {
    expect(at(DAY, example([])).call).toMatchObject({ state: 'expired', partial: true });
  });
});

describe('an invitation', () => {
  it('expires after three minutes', () => {
    expect(at(3 * MINUTE - 1, invite(1)).call).toMatchObject({ state: 'invited', partial: false });
    expect(at(3 * MINUTE, invite(1)).call).toMatchObject({ state: 'expired', endReason: 'expired' });
    expect(at(3 * MINUTE - 1, invite(1)).waiting?.timeout).toBe('invite');
  });

  it('has failed when it is rejected', () => {
    expect(derivedCall(invite(1), ofVersion('D', failure(486, { connection: { cseq: 1 } })))).toMatchObject({
      state: 'failed',
      endReason: 'error',
      endedAt: '2026-03-02T10:00:01.000Z',
      duration: null,
      partial: false,
    });
  });

  it('has not failed when it is sent again after a challenge', () => {
    const challenged = ofVersion('D', failure(407, { connection: { cseq: 1 } }));
    const secondInvite = invite(2, { at: '00:02' });
    expect(derivedCall(invite(1), challenged, secondInvite).state).toBe('invited');
    expect(derivedCall(invite(1), challenged, secondInvite, start({ at: '00:03' }))).toMatchObject({
      state: 'active',
      errors: [{ code: 407 }],
    });
  });

  it('does not count as sent again when another front end sends its own copy', () => {
    const refused = failure(486, { connection: { cseq: 1 } });
    const copy = invite(1, { at: '00:03', frontEnd: 'fe2.example.test' });
    expect(derivedCall(invite(1), refused, copy).state).toBe('failed');
  });

  it('is partial when the call ended and no start is known', () => {
    const bye = example([{ kind: 'bye', endpoints: [anna, ben] }], { at: '05:00' });
    expect(derivedCall(invite(1), bye)).toMatchObject({ state: 'ended', partial: true });
    const refusedChange = ofVersion('D', failure(488, { at: '01:00', connection: { cseq: 3 } }));
    expect(derivedCall(invite(1), refusedChange, bye)).toMatchObject({ state: 'ended', partial: true });
  });
});

describe('a failed call', () => {
  it('is partial when its version reports invitations and none is known', () => {
    expect(derivedCall(failure(403)).partial).toBe(false);
    expect(derivedCall(ofVersion('D', failure(403))).partial).toBe(true);
  });
});

describe('a call on hold by its bandwidth', () => {
  const update = (at: string, more: Partial<StreamEvent>): FeedRecord =>
    example([{ ...stream('audio', anna, ben, { kind: 'update' }), ...more }], { at });
  const held = update('01:00', { bandwidth: { average: 0, maximum: 0 } });

  it.each([
    ['another bandwidth', { bandwidth: { average: 50_400, maximum: 84_000 } }],
    ['codecs whose bandwidth the sender does not know', { codecs: [{ name: 'EVS/16000' }] }],
  ])('is retrieved by %s', (_what, retrieved) => {
    const stateOf = (...records: FeedRecord[]): unknown => derivedCall(...records).streams.map(({ state }) => state);
    const started = example([stream('audio', anna, ben, { kind: 'start' })]);
    expect(stateOf(started, held)).toEqual(['held']);
    expect(stateOf(started, held, update('02:00', retrieved))).toEqual(['active']);
  });
});

describe('a call of version A', () => {
  const a = (events: readonly RecordEvent[], time: string, cseq = 1): FeedRecord =>
    ofVersion('A', example(events, { at: time, connection: { cseq } }));
  const started = a(
    [stream('audio', anna, ben, { kind: 'start' }), stream('audio', ben, anna, { kind: 'start' })],
    '00:01',
    2,
  );
  const held = a([{ kind: 'update', mediaType: 'audio', endpoints: [anna, ben], codecs: [] }], '01:00', 3);

  it('is on hold from an update without a direction until the next one with a direction', () => {
    expect(derivedCall(started, held)).toMatchObject({
      state: 'held',
      streams: [{ state: 'held' }, { state: 'held' }],
    });
    const retrieved = a([stream('audio', anna, ben, { kind: 'update' })], '02:00', 4);
    expect(derivedCall(started, held, retrieved).streams.map(({ state }) => state)).toEqual(['active', 'held']);
  });

  it('is on hold when a record does not mention any stream', () => {
    expect(derivedCall(started, a([], '01:00', 3)).state).toBe('held');
    // B was never published, and is treated as A.
    expect(derivedCall(ofVersion('B', started), ofVersion('B', a([], '01:00', 3))).state).toBe('held');
    expect(derivedCall(ofVersion('C', started), ofVersion('C', a([], '01:00', 3))).state).toBe('active');
  });

  it('is on hold also when its start was lost', () => {
    expect(derivedCall(held)).toMatchObject({ state: 'held', partial: true, streams: [], parties: [{}, {}] });
  });

  it('ends by an error of the same request', () => {
    const error = (cseq: number): FeedRecord => ofVersion('A', failure(500, { at: '03:00', connection: { cseq } }));
    expect(derivedCall(started, error(2))).toMatchObject({
      state: 'ended',
      endReason: 'error',
      endedAt: '2026-03-02T10:03:00.000Z',
      duration: { seconds: 179 },
    });
    expect(derivedCall(started, error(7)).state).toBe('active');
    expect(derivedCall(ofVersion('D', started), ofVersion('D', error(2))).state).toBe('active');
  });

  it('ends one medium at a time', () => {
    const ended = a([{ kind: 'ended', mediaType: 'audio', endpoints: [anna, ben] }], '04:00', 5);
    expect(derivedCall(started, ended)).toMatchObject({ state: 'ended', endReason: 'ended' });
  });
});

describe('a call that is over', () => {
  const received = (seconds: number): ExampleOptions => ({ receivedAt: RECEIVED + seconds * 1_000 });

  it('is complete when no quality report arrives in time', () => {
    expect(derivedCall(start(), end(received(10)))).toMatchObject({
      settlesAt: '2026-03-02T10:00:25.500Z',
      lateRecords: 0,
    });
  });

  it('waits a little for the other half of the quality after the first one', () => {
    const half = final(received(12));
    expect(derivedCall(start(), end(received(10)), half).settlesAt).toBe('2026-03-02T10:00:17.500Z');
    expect(derivedCall(start(), end(received(10)), final(received(9))).settlesAt).toBe('2026-03-02T10:00:15.500Z');
  });

  it('is amended by later records, with a higher version', () => {
    const before = derivedCall(start(), end(received(10)));
    const after = derivedCall(start(), end(received(10)), final(received(26)));
    expect(after).toMatchObject({ settlesAt: before.settlesAt, lateRecords: 1, version: before.version + 1 });
  });

  it('is not complete while it is in progress', () => {
    expect(derivedCall(start()).settlesAt).toBeNull();
  });
});
