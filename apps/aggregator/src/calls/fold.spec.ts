import * as fc from 'fast-check';
import { anna, ben, end, example, failure, report, start, stream } from '../../test/call-examples.js';
import type { Call } from './call.js';
import type { FeedRecord } from './feed-record.js';
import { RECORD_LIMIT } from './life/admission.js';
import { fold } from './fold.js';

function foldedCall(...records: readonly FeedRecord[]): Call {
  return fold([], records).call;
}

function during(rate: number, at: string): FeedRecord {
  return example([report({ RecvFrameRateAverage: rate, BitRateAvg: 1 }, { kind: 'inCallQuality' })], { at });
}

describe('a call', () => {
  it('is active from its first stream', () => {
    expect(foldedCall(start({ at: '00:10.25' }))).toMatchObject({
      callId: 'C1',
      state: 'active',
      partial: false,
      version: 1,
      frontEnds: ['fe1.example.test'],
      startedAt: '2026-03-02T10:00:10.250Z',
      beganAt: '2026-03-02T10:00:10.250Z',
      endedAt: null,
      duration: null,
      verdict: 'unknown',
    });
  });

  it('stays active when a stream changes, and has each direction once', () => {
    const update = example([stream('audio', anna, { ...ben, port: 60_000 }, { protocol: 'TCP' })], { at: '00:30' });
    const call = foldedCall(start(), update);
    expect(call).toMatchObject({ state: 'active', version: 2 });
    expect(call.streams.map(({ from, to }) => [from?.uri, to?.uri, to?.port])).toEqual([
      [anna.uri, ben.uri, 60_000],
      [ben.uri, anna.uri, anna.port],
    ]);
    expect(call.streams[0]?.protocol).toBe('TCP');
  });

  it('adds streams by medium', () => {
    const video = example([stream('video', anna, ben)], { at: '01:00' });
    expect(foldedCall(start(), video).streams.map(({ mediaType }) => mediaType)).toEqual(['audio', 'audio', 'video']);
  });

  it('has for each direction the newest ends, protocol, codecs and bandwidth', () => {
    const silk = [{ name: 'SILK/16000', low: 47_700, high: 105_000 }];
    const started = example([
      stream('audio', anna, ben, { protocol: 'UDP', codecs: silk, bandwidth: { average: 60_000, maximum: 105_000 } }),
      stream('audio', ben, anna, { protocol: 'UDP', codecs: [{ name: 'PCMU/8000' }] }),
    ]);
    const changed = example([stream('audio', anna, ben, { bandwidth: { average: 30_000, maximum: 50_000 } })], {
      at: '00:30',
    });
    expect(foldedCall(started, changed).streams).toMatchObject([
      { from: anna, to: ben, protocol: 'UDP', codecs: silk, bandwidth: { average: 30_000, maximum: 50_000 } },
      { from: ben, to: anna, protocol: 'UDP', codecs: [{ name: 'PCMU/8000' }], bandwidth: null },
    ]);
  });

  it('ends with all its streams, with a duration by the clock of the front end', () => {
    const call = foldedCall(start(), end());
    expect(call).toMatchObject({
      state: 'ended',
      endedAt: '2026-03-02T10:05:00.000Z',
      duration: { seconds: 300, clock: 'frontEnd' },
    });
    expect(call.streams.every(({ state, endedAt }) => state === 'ended' && endedAt === call.endedAt)).toBe(true);
  });

  it('keeps its end when the other party sends its end, too', () => {
    const second = end({ at: '05:00.17', connection: { cseq: 5 } });
    expect(foldedCall(start(), end({ connection: { cseq: 1 } }), second)).toMatchObject({
      endedAt: '2026-03-02T10:05:00.000Z',
      duration: { seconds: 300 },
      version: 3,
    });
  });

  it('is one call regardless of the spelling of its id', () => {
    expect(foldedCall(start(), end({ connection: { callId: 'c1' } }))).toMatchObject({ callId: 'C1', state: 'ended' });
  });

  it('is merged from what several front ends report', () => {
    const copy = start({ at: '00:40', frontEnd: 'FE2.example.test' });
    const call = foldedCall(start(), copy, end({ at: '05:40', frontEnd: 'fe2.example.test' }));
    expect(call.frontEnds).toEqual(['fe1.example.test', 'FE2.example.test']);
    expect(call.streams).toHaveLength(2);
    expect(call.streams[0]?.frontEnds).toEqual(['fe1.example.test', 'FE2.example.test']);
    // Each clock is compared only with itself: 40 s apart here, 300 s long by the second one.
    expect(call.duration).toEqual({ seconds: 300, clock: 'frontEnd' });
  });
});

describe('a call with lost records', () => {
  it('is partial when only its end is known', () => {
    expect(foldedCall(end())).toMatchObject({
      state: 'ended',
      partial: true,
      startedAt: null,
      beganAt: '2026-03-02T10:05:00.000Z',
      duration: null,
      parties: [{ uri: anna.uri }, { uri: ben.uri }],
    });
  });

  it('has failed when only an error is known', () => {
    expect(foldedCall(failure(403))).toMatchObject({
      state: 'failed',
      // 1.0 has no invitations: nothing before it could have been missed.
      partial: false,
      endReason: 'error',
      errors: [{ code: 403, phrase: 'Forbidden', diagnostics: { code: 11_007, reason: 'not enabled' } }],
    });
  });

  it('is over when only its final quality is known, with a duration by the clock of the client', () => {
    const connection = { startTime: '2026-03-02T10:00:00.0000Z', endTime: '2026-03-02T10:01:30.5000Z' };
    expect(foldedCall(example([report({ RecvFrameRateAverage: 15 })], { connection }))).toMatchObject({
      state: 'ended',
      partial: true,
      endedAt: null,
      duration: { seconds: 90.5, clock: 'client' },
      verdict: 'good',
    });
  });

  it('is complete again when the start arrives late', () => {
    expect(foldedCall(end(), start())).toEqual(foldedCall(start(), end()));
  });

  it('stays active when the end was lost', () => {
    expect(foldedCall(start(), failure(403))).toMatchObject({ state: 'active', errors: [{ code: 403 }] });
  });

  it('exists even when a record has only a header', () => {
    expect(foldedCall(example([]))).toMatchObject({ state: 'invited', partial: true, streams: [], parties: [] });
  });

  it('has ended when records with only a header contain its end time', () => {
    const ended = example([], { connection: { endTime: '2026-03-02T10:09:00Z', startTime: '2026-03-02T10:01:00Z' } });
    expect(foldedCall(example([]), ended)).toMatchObject({
      state: 'ended',
      endReason: 'reported',
      endedAt: null,
      duration: { seconds: 480, clock: 'client' },
    });
  });

  it('expires when nothing follows a header', () => {
    const { records } = fold([], [example([])]);
    const asOf = Date.parse('2026-03-03T10:00:00Z');
    const { call } = fold(records, [], undefined, { checkedAt: asOf, revisions: 0 });
    expect(call).toMatchObject({ state: 'expired', end: { reason: 'expired', diagnostics: [] } });
  });
});

describe('the errors of a call', () => {
  it('are one when several front ends report the same failed request', () => {
    const connection = { cseq: 3 };
    const call = foldedCall(failure(403, { connection }), failure(403, { connection, frontEnd: 'fe2.example.test' }));
    expect(call.errors).toMatchObject([{ code: 403, frontEnds: expect.arrayContaining(['fe2.example.test']) }]);
  });

  it('are several when several requests failed', () => {
    const call = foldedCall(failure(403, { connection: { cseq: 3 } }), failure(403, { connection: { cseq: 4 } }));
    expect(call.errors).toHaveLength(2);
  });
});

describe('the quality of a call', () => {
  it('amends an ended call', () => {
    const before = fold([], [start(), end()]);
    const after = fold(before.records, [example([report({ VideoPacketLossRate: 0.2 })], { at: '05:12' })]);
    expect(after.call).toMatchObject({ state: 'ended', endedAt: before.call.endedAt, version: 3, verdict: 'bad' });
  });

  it('does not end a call', () => {
    expect(foldedCall(start(), example([report({})], { at: '02:00' }))).toMatchObject({
      state: 'active',
      endedAt: null,
    });
  });

  it('is merged from the halves of both parties', () => {
    const halves = [
      example([report({ VideoPacketLossRate: 0.01 })], { at: '05:01', connection: { originator: 'a1' } }),
      example([report({ RecvFrameRateAverage: 6 })], { at: '05:02', connection: { originator: 'b2' } }),
    ];
    expect(foldedCall(start(), ...halves).quality).toMatchObject([
      {
        final: true,
        reporters: ['a1', 'b2'],
        metrics: { VideoPacketLossRate: { value: 0.01 }, RecvFrameRateAverage: { value: 6 } },
        verdict: 'bad',
        cause: { metric: 'RecvFrameRateAverage' },
      },
    ]);
  });

  it('has the worst cause of the worst streams, regardless of their order', () => {
    const quality = example([
      report({ VideoPacketLossRate: 0.12 }),
      report({ VideoPacketLossRate: 0.28 }, { from: ben, to: anna }),
    ]);
    expect(foldedCall(start(), quality).cause).toMatchObject({ metric: 'VideoPacketLossRate', value: 0.28 });
  });

  it('is judged per stream; the call is as bad as its worst stream', () => {
    const video = example([stream('video', anna, ben), stream('video', ben, anna)]);
    const quality = example([
      report({ VideoPacketLossRate: 0.07 }),
      report({ VideoPacketLossRate: 0.01 }, { from: ben, to: anna }),
    ]);
    const call = foldedCall(video, quality);
    expect(call.streams.map(({ verdict }) => verdict)).toEqual(['poor', 'good']);
    expect(call.verdict).toBe('poor');
  });

  it('uses the newest report during the call until the final one arrives', () => {
    expect(foldedCall(start(), during(5, '01:00'), during(20, '02:00')).quality).toMatchObject([
      { final: false, verdict: 'good' },
    ]);
    const final = example([report({ RecvFrameRateAverage: 10 })], { at: '05:01' });
    expect(foldedCall(start(), during(5, '01:00'), final).quality).toMatchObject([
      { final: true, metrics: { RecvFrameRateAverage: { value: 10 } }, verdict: 'poor' },
    ]);
  });
});

describe('a call of the later versions', () => {
  const d = { frontEnd: 'pool.example.test' };
  const ended = (mediaType: string, at: string): FeedRecord =>
    example(
      [
        { kind: 'ended', mediaType, from: anna, to: ben },
        { kind: 'ended', mediaType, from: ben, to: anna },
      ],
      { ...d, at },
    );

  it('stays in progress while one medium does, and ends with the last one', () => {
    const both = example(
      [stream('audio', anna, ben, { kind: 'start' }), stream('video', anna, ben, { kind: 'start' })],
      d,
    );
    expect(foldedCall(both, ended('video', '01:00'))).toMatchObject({
      state: 'active',
      streams: [{ state: 'active' }, { state: 'ended' }, { state: 'ended' }],
    });
    expect(foldedCall(both, ended('video', '01:00'), ended('audio', '02:00'))).toMatchObject({
      state: 'ended',
      endedAt: '2026-03-02T10:02:00.000Z',
    });
  });

  it('is invited before it starts, and held while both directions are on hold', () => {
    const invite = example([{ kind: 'invite', caller: anna, callee: { uri: ben.uri ?? '' } }], d);
    expect(foldedCall(invite)).toMatchObject({ state: 'invited', partial: false });
    const still = { kind: 'update', bandwidth: { average: 0, maximum: 0 } } as const;
    const hold = example([stream('audio', anna, ben, still), stream('audio', ben, anna, still)], { ...d, at: '01:00' });
    expect(foldedCall(invite, start({ ...d, at: '00:05' }), hold)).toMatchObject({ state: 'held', parties: [{}, {}] });
    const moves = { kind: 'update', bandwidth: { average: 60_000, maximum: 60_000 } } as const;
    const retrieved = example([stream('audio', anna, ben, moves), stream('audio', ben, anna, moves)], {
      ...d,
      at: '02:00',
    });
    expect(foldedCall(invite, start({ ...d, at: '00:05' }), hold, retrieved).state).toBe('active');
  });

  it('keeps the bandwidth of before while it is on hold', () => {
    const moves = { kind: 'start', bandwidth: { average: 60_000, maximum: 80_000 } } as const;
    const still = { kind: 'update', bandwidth: { average: 0, maximum: 0 } } as const;
    const started = example([stream('audio', anna, ben, moves)], d);
    const hold = example([stream('audio', anna, ben, still)], { ...d, at: '01:00' });
    expect(foldedCall(started, hold).streams).toMatchObject([{ state: 'held', bandwidth: moves.bandwidth }]);
    expect(foldedCall(hold).streams).toMatchObject([{ state: 'held', bandwidth: still.bandwidth }]);
  });

  it('is active while media flow in one direction', () => {
    const moves = { kind: 'start', bandwidth: { average: 60_000, maximum: 60_000 } } as const;
    const still = { kind: 'start', bandwidth: { average: 0, maximum: 0 } } as const;
    const oneWay = example([stream('audio', anna, ben, moves), stream('audio', ben, anna, still)], d);
    expect(foldedCall(oneWay)).toMatchObject({ state: 'active', streams: [{ state: 'active' }, { state: 'held' }] });
  });

  it('is partial when its first known event is a change', () => {
    const change = example([stream('audio', anna, ben, { kind: 'update' })], d);
    expect(foldedCall(change)).toMatchObject({ state: 'active', partial: true, startedAt: null });
  });
});

describe('folding', () => {
  const records = fc.array(anyRecord(), { minLength: 1, maxLength: 8 });

  it('returns the same call in any order, one by one or together', () => {
    const shuffled = records.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, reordered]) => {
        const oneByOne = reordered.reduce<readonly FeedRecord[]>((known, each) => fold(known, [each]).records, []);
        expect(fold(oneByOne, []).call).toEqual(fold([], all).call);
      }),
      { numRuns: 300 },
    );
  });

  it('ignores duplicates, whether from the bus or from a second sender', () => {
    fc.assert(
      fc.property(records, fc.nat(), (all, pick) => {
        const once = fold([], all);
        const again = all[pick % all.length] ?? start();
        const copy = { ...again, id: 'another id', receivedAt: again.receivedAt + 1_000 };
        const twice = fold(once.records, [again, copy]);
        expect(twice).toMatchObject({ added: [], duplicates: 2 });
        expect(twice.call).toEqual(once.call);
      }),
    );
  });

  it('never loses what is known of an endpoint', () => {
    fc.assert(
      fc.property(records, (all) => {
        const reported = new Set(all.flatMap(({ record }) => record.events).flatMap(eventContacts));
        const known = new Set(foldedCall(...all).parties.flatMap(({ contact }) => contact ?? []));
        expect([...known].every((contact) => reported.has(contact))).toBe(true);
        expect(known.size > 0).toBe(reported.size > 0);
      }),
    );
  });

  it('rejects records beyond the limit of a call, but not its end', () => {
    const chatter = Array.from({ length: RECORD_LIMIT + 5 }, (_, i) => start({ at: '00:00', connection: { cseq: i } }));
    const { call, refused } = fold([], [...chatter, end()]);
    expect(refused).toHaveLength(5);
    expect(call.state).toBe('ended');
  });
});

function eventContacts(event: FeedRecord['record']['events'][number]): readonly string[] {
  return 'to' in event && event.to?.contact !== undefined ? [event.to.contact] : [];
}

function anyRecord(): fc.Arbitrary<FeedRecord> {
  const sides = fc.constantFrom(
    [anna, ben] as const,
    [ben, anna] as const,
    [anna, { uri: 'SIP:ben@example.test' }] as const,
  );
  const contact = fc.constantFrom({}, { contact: 'sip:x;gruu' });
  const media = fc.constantFrom('audio', 'video');
  const streams = fc
    .tuple(sides, media, contact, fc.constantFrom('startOrUpdate', 'start', 'update'))
    .map(([[from, to], mediaType, more, kind]) => stream(mediaType, from, { ...to, ...more }, { kind } as const));
  const ends = fc
    .tuple(sides, fc.constantFrom('audio', 'video', undefined))
    .map(([[from, to], mediaType]) =>
      mediaType === undefined
        ? ({ kind: 'ended', endpoints: [from, to] } as const)
        : ({ kind: 'ended', mediaType, from, to } as const),
    );
  const reports = fc
    .tuple(sides, media, fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('qualityUpdate', 'inCallQuality'))
    .map(([[from, to], mediaType, loss, kind]) =>
      report({ PacketLossRate: loss, VideoPacketLossRate: loss }, { from, to, mediaType, kind } as const),
    );
  const errors = fc.constantFrom(403, 486).map((code) => ({ kind: 'error', responseCode: { code } }) as const);
  return fc
    .record({
      events: fc.array(fc.oneof(streams, ends, reports, errors), { maxLength: 3 }),
      at: fc.constantFrom('00:00', '00:00.0000001', '01:00', '02:00'),
      frontEnd: fc.constantFrom('fe1.example.test', 'fe2.example.test'),
      cseq: fc.constantFrom(1, 2, undefined),
      timed: fc.boolean(),
      receivedAt: fc.constantFrom(1_772_445_600_000, 1_772_445_700_000),
    })
    .map(({ events, at, frontEnd, cseq, timed, receivedAt }) => {
      const made = example(events, { at, frontEnd, receivedAt, connection: cseq === undefined ? {} : { cseq } });
      if (timed) return made;
      const { timeStamp: _timeStamp, ...connection } = made.record.connection;
      const digest = `${made.digest} untimed`;
      return { ...made, digest, id: digest, record: { ...made.record, connection } };
    });
}
