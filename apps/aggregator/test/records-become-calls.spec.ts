import { eventually } from '@ringdown/testing/eventually';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, errorXml, published, qualityXml, startXml } from './feed-examples.js';

describe('published records', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
  });

  afterAll(() => around.stop());

  it('become a call that is first active and then ended', async () => {
    await around.publish(published(startXml({ callId: 'Abc1', cseq: 2 })));
    const active = await around.call(aggregator, 'Abc1');
    expect(active).toMatchObject({
      callId: 'Abc1',
      state: 'active',
      partial: false,
      version: 1,
      frontEnds: ['fe1.example.test'],
      startedAt: '2026-03-02T10:00:00.000Z',
      endedAt: null,
      verdict: 'unknown',
      streams: [
        { mediaType: 'audio', state: 'active', from: { uri: 'sip:anna@example.test' }, to: { ip: '10.0.0.2' } },
        {
          mediaType: 'audio',
          state: 'active',
          from: { uri: 'sip:ben@example.test' },
          to: { ip: '10.0.0.1', port: 50_000 },
        },
      ],
      errors: [],
      quality: [],
    });

    await around.publish(published(endXml({ callId: 'ABC1' })));
    const ended = await around.call(aggregator, 'aBC1', ({ state }) => state === 'ended');
    expect(ended).toMatchObject({ callId: 'Abc1', version: 2, duration: { seconds: 200.5, clock: 'frontEnd' } });
  });

  it('are kept with the call as received', async () => {
    const xml = startXml({ callId: 'raw1' });
    await around.publish(published(xml), published(errorXml({ callId: 'raw1' })));
    const { records, recordsLeftOut } = await around.call(aggregator, 'raw1', ({ version }) => version === 2);
    expect(recordsLeftOut).toBe(0);
    expect(records.map(({ kinds }) => kinds.join()).toSorted()).toEqual(['error', 'startOrUpdate']);
    expect(records.find(({ kinds }) => kinds[0] === 'startOrUpdate')).toMatchObject({
      xml,
      frontEnds: ['fe1.example.test'],
      sentAt: '2026-03-02T10:00:00.000Z',
      receivedAt: expect.stringMatching(/Z$/),
    });
  });

  it('from several front ends become one call', async () => {
    await around.publish(
      published(startXml({ callId: 'two1' })),
      published(startXml({ callId: 'two1', frontEnd: 'fe2.example.test', at: '2026-03-02T10:00:00.1Z' })),
      published(endXml({ callId: 'two1', frontEnd: 'fe2.example.test' })),
    );
    const call = await around.call(aggregator, 'two1', ({ version }) => version === 3);
    expect(call).toMatchObject({ state: 'ended', frontEnds: ['fe1.example.test', 'fe2.example.test'] });
    expect(call.streams).toHaveLength(2);
  });

  it('amend an ended call with errors and late quality', async () => {
    await around.publish(published(startXml({ callId: 'late1' })), published(endXml({ callId: 'late1' })));
    await around.call(aggregator, 'late1', ({ version }) => version === 2);
    await around.publish(published(qualityXml({ callId: 'late1' }, 0.25)), published(errorXml({ callId: 'late1' })));
    expect(await around.call(aggregator, 'late1', ({ version }) => version === 4)).toMatchObject({
      state: 'ended',
      verdict: 'bad',
      errors: [{ code: 403, diagnostics: { code: 11_007, reason: 'not enabled', source: 'fe1.example.test' } }],
      quality: [{ cause: { metric: 'VideoPacketLossRate', value: 0.25, threshold: 0.1, thresholdFrom: 'sender' } }],
    });
  });

  it('without a start become a partial call', async () => {
    await around.publish(published(endXml({ callId: 'part1' })));
    expect(await around.call(aggregator, 'part1')).toMatchObject({ state: 'ended', partial: true, startedAt: null });
  });

  it('count once when they arrive again', async () => {
    const start = published(startXml({ callId: 'dup1', frontEnd: 'fe-dup.example.test' }));
    await around.publish(start, start, { ...start, id: 'from a second collector' });
    await around.publish(start);
    await around.publish(published(endXml({ callId: 'dup1', frontEnd: 'fe-dup.example.test' })));
    const call = await around.call(aggregator, 'dup1', ({ state }) => state === 'ended');
    expect(call.version).toBe(2);
    expect(call.records).toHaveLength(2);
    const frontEnds = await aggregator.get<{ items: readonly { name: string }[] }>('/api/front-ends', around.operator);
    expect(frontEnds.body.items.find(({ name }) => name === 'fe-dup.example.test')).toMatchObject({
      records: 2,
      duplicates: 3,
      callsInProgress: 0,
    });
  });

  it('are counted in metrics, and calls in progress are counted in the database', async () => {
    expect(Number(await aggregator.metric(/records_total\{outcome="folded"\} (\d+)/))).toBeGreaterThan(5);
    expect(Number(await aggregator.metric(/records_total\{outcome="duplicate"\} (\d+)/))).toBe(3);
    // The count is read from the database periodically, so the first one may be from before the first call.
    await eventually('the count of calls', () => aggregator.metric(/calls_in_progress\{state="active"\} ([1-9]\d*)/));
  });

  it('count each ended call once, whatever arrives for it later', async () => {
    const completed = async (state: string): Promise<number> =>
      Number(await aggregator.metric(new RegExp(`calls_completed_total\\{state="${state}"\\} (\\d+)`)));
    const before = { ended: await completed('ended'), failed: await completed('failed') };
    await around.publish(published(startXml({ callId: 'done' })));
    await around.call(aggregator, 'done', ({ state }) => state === 'active');
    await around.publish(published(endXml({ callId: 'done' })), published(endXml({ callId: 'done at once' })));
    await around.call(aggregator, 'done', ({ state }) => state === 'ended');
    await around.call(aggregator, 'done at once', ({ state }) => state === 'ended');
    await around.publish(published(qualityXml({ callId: 'done' }, 0.5)));
    await around.call(aggregator, 'done', ({ version }) => version === 3);
    expect({ ended: await completed('ended'), failed: await completed('failed') }).toEqual({
      ...before,
      ended: before.ended + 2,
    });
  });

  it('of the last hour are also counted by state and verdict', async () => {
    const now = new Date().toISOString();
    await around.publish(published(startXml({ callId: 'recent', at: now })));
    const recent = /ringdown_recent_calls\{state="active",verdict="unknown"\} (\d+)/;
    expect(await eventually('the count', () => aggregator.metric(recent))).toBe('1');
  });
});
