import { anna, ben, end, example, report, start, stream } from '../../../test/call-examples.js';
import { deriveCall } from '../derive-call.js';
import type { FeedRecord } from '../feed-record.js';
import { lastedUntil, mediaFacts, type MediaFact } from './media-facts.js';

function derivedMediaFacts(...records: readonly FeedRecord[]): readonly MediaFact[] {
  return mediaFacts(deriveCall(records).call);
}

function audio(options: Parameters<typeof stream>[3]): FeedRecord {
  return example([stream('audio', anna, ben, options)]);
}

describe('the statistics facts of a stream', () => {
  it('contain the addresses, connections and user agents of its ends, from any record', () => {
    const reported = example([
      {
        kind: 'invite',
        caller: { ...anna, userAgent: 'Desk/1' },
        callee: { uri: ben.uri ?? '', userAgent: 'x'.repeat(300) },
      },
    ]);
    const measured = example([
      report({ PacketLossRate: 0.5 }, { mediaType: 'audio', from: { ...anna, connection: 'ethernet' }, to: ben }),
    ]);
    const [fact] = derivedMediaFacts(reported, audio({}), measured);
    expect(fact).toMatchObject({ medium: 'audio', verdict: 'bad', connections: ['wired'] });
    expect(fact?.userAgents).toEqual(['Desk/1', 'x'.repeat(100)]);
  });

  it('exist once for a direction that records write in different letter case', () => {
    const [from, to] = [
      { ...anna, id: 'A1', userAgent: 'Desk/1' },
      { ...ben, id: 'B2' },
    ];
    const measured = example([report({ RoundTrip: 120 }, { mediaType: 'audio', from, to })], { at: '05:00' });
    const facts = derivedMediaFacts(audio({}), measured);
    expect(facts).toMatchObject([{ roundTrip: 120, userAgents: ['Desk/1'] }]);
    expect(facts).toHaveLength(1);
  });

  it('exist once also for a direction whose ends have only addresses', () => {
    const [from, to] = [{ uri: 'sip:anna@example.test' }, { uri: 'sip:ben@example.test' }];
    const started = example([stream('audio', from, to)]);
    const other = { mediaType: 'audio', from: { uri: 'SIP:Anna@example.test' }, to };
    const measured = example([report({ RoundTrip: 120 }, other)], { at: '05:00' });
    expect(derivedMediaFacts(started, measured)).toMatchObject([{ roundTrip: 120 }]);
  });

  it('contain the codec in use, else the first one offered', () => {
    const offered = audio({ codecs: [{ name: 'PCMU/8000' }, { name: 'SILK/16000' }] });
    const used = example([report({}, { mediaType: 'audio', from: anna, to: ben, codecs: [{ name: 'SILK/16000' }] })]);
    expect(derivedMediaFacts(offered)[0]?.codec).toBe('PCMU/8000');
    expect(derivedMediaFacts(offered, used).map(({ codec }) => codec)).toEqual(['SILK/16000']);
  });

  it('contain the bandwidth of the record, else what its codecs need', () => {
    const codecs = [
      { name: 'a', low: 40_000, high: 90_000 },
      { name: 'b', low: 60_000, high: 70_000 },
      { name: 'c', low: -1, high: -1 },
    ];
    expect(derivedMediaFacts(audio({ codecs }))[0]).toMatchObject({ average: 50_000, maximum: 90_000 });
    expect(derivedMediaFacts(audio({ codecs, bandwidth: { average: 0, maximum: 0 } }))[0]).toMatchObject({
      average: 0,
      maximum: 0,
    });
    expect(derivedMediaFacts(audio({ codecs: [] }))[0]).toMatchObject({ average: 0, maximum: 0, codec: null });
  });

  it('contain its metrics', () => {
    const measured = report({ PacketLossRate: 0.01, RoundTrip: 120 }, { mediaType: 'audio', from: anna, to: ben });
    expect(derivedMediaFacts(audio({}), example([measured]))[0]).toMatchObject({ loss: 0.01, roundTrip: 120 });
    expect(derivedMediaFacts(audio({}))[0]).not.toHaveProperty('loss');
  });

  it('exist also for a report on a stream that was missed', () => {
    const measured = example([report({ RecvFrameRateAverage: 1 }, { mediaType: 'video', from: ben, to: anna })]);
    expect(
      derivedMediaFacts(audio({}), measured).map(({ medium, verdict, startedAt }) => [medium, verdict, startedAt]),
    ).toEqual([
      ['audio', 'unknown', '2026-03-02T10:00:00.000Z'],
      ['video', 'bad', null],
    ]);
  });
});

describe('the end of a call for statistics', () => {
  it('is its reported end, else its last record, and null while it is in progress', () => {
    const { call } = deriveCall([start(), end()]);
    expect(lastedUntil(call)).toBe(call.endedAt);
    expect(lastedUntil({ ...call, state: 'expired', endedAt: null })).toBe(call.lastReceivedAt);
    expect(lastedUntil({ ...call, state: 'held' })).toBeNull();
  });
});
