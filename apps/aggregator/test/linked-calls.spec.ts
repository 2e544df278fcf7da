import type { LinkedCall } from '../src/store/linked-calls.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml, type ExampleRecord } from './feed-examples.js';

describe('linked calls', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const hour = (n: number): string => `2026-03-02T1${n}:00:00Z`;
    await around.publish(
      call(
        { callId: 'first', at: hour(0) },
        '<ConversationId>conv</ConversationId><CorrelationId>corr</CorrelationId>',
      ),
      call({ callId: 'second', at: hour(2) }, '<ConversationId>conv</ConversationId><ConferenceId>CONF</ConferenceId>'),
      call({ callId: 'third', at: hour(1) }, '<ConferenceId>CONF</ConferenceId><CorrelationId>corr</CorrelationId>'),
      call({ callId: 'other', at: hour(1) }, '<ConversationId>CONV</ConversationId>'),
      call({ callId: 'alone', at: hour(1) }, ''),
    );
    for (const callId of ['first', 'second', 'third', 'other', 'alone']) await around.call(aggregator, callId);
  });
  afterAll(() => around.stop());

  function call(record: ExampleRecord, links: string): ReturnType<typeof published> {
    return published(startXml(record).replace('</ConnectionInfo>', `${links}</ConnectionInfo>`));
  }

  async function linkedTo(callId: string): Promise<readonly LinkedCall[]> {
    return (await around.call(aggregator, callId)).linked;
  }

  it('are listed with each other, the earliest first, with the reason', async () => {
    expect(await linkedTo('first')).toEqual([
      {
        callId: 'third',
        by: ['correlation'],
        state: 'active',
        verdict: 'unknown',
        beganAt: '2026-03-02T11:00:00.000Z',
        endedAt: null,
        parties: ['sip:anna@example.test', 'sip:ben@example.test'],
      },
      expect.objectContaining({ callId: 'second', by: ['conversation'] }),
    ]);
    expect((await linkedTo('second')).map(({ callId, by }) => [callId, ...by])).toEqual([
      ['first', 'conversation'],
      ['third', 'conference'],
    ]);
  });

  it('are empty when calls have nothing in common, ids being case-sensitive', async () => {
    expect(await linkedTo('other')).toEqual([]);
    expect(await linkedTo('alone')).toEqual([]);
  });
});
