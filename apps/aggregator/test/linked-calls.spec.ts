import { createHash } from 'node:crypto';
import type { LinkedCall } from '../src/store/calls/linked-calls.js';
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

  it('are those that a transfer has replaced, and those that have replaced the call', async () => {
    const replaced = published(startXml({ callId: 'Replaced@Host', at: '2026-03-02T10:00:00Z' }));
    const hashed = createHash('sha256').update('hashed@host').digest('hex').slice(0, 32);
    const replacing = startXml({ callId: 'replacing', at: '2026-03-02T11:00:00Z' })
      .replace('<Protocol>', '<Replaces>replaced@host;to-tag=a;from-tag=b</Replaces><Protocol>')
      .replace(/<Protocol>(?!.*<Protocol>)/s, '<Replaces>hashed@host;to-tag=a</Replaces><Protocol>');
    await around.publish(
      replaced,
      published(replacing),
      published(startXml({ callId: hashed, at: '2026-03-02T10:30:00Z' })),
    );
    for (const callId of ['replaced@host', hashed]) await around.call(aggregator, callId);
    await around.call(aggregator, 'replacing');
    expect((await linkedTo('replacing')).map(({ callId, by }) => [callId, ...by])).toEqual([
      ['Replaced@Host', 'replaces'],
      [hashed, 'replaces'],
    ]);
    expect((await linkedTo('replaced@host')).map(({ callId, by }) => [callId, ...by])).toEqual([
      ['replacing', 'replacedBy'],
    ]);
    expect(await linkedTo(hashed)).toMatchObject([{ callId: 'replacing' }]);
  });

  it('are empty when calls have nothing in common, ids being case-sensitive', async () => {
    expect(await linkedTo('other')).toEqual([]);
    expect(await linkedTo('alone')).toEqual([]);
  });
});
