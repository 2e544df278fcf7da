import { SIP_FAILURES_STREAM, type SipFailureCount } from '@ringdown/contracts/sip-failures';
import { SipFailurePublisher } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import { randomUUID } from 'node:crypto';
import type { FailingPeerList, SipFailureList } from '@ringdown/answers/statistics';
import { published, startXml } from './feed-examples.js';
import { Surroundings, type Problem, type RunningAggregator } from './aggregator-under-test.js';

const MINUTE = 60_000;
const NOW = Date.now();

describe('failed SIP requests', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let publisher: SipFailurePublisher;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    publisher = new SipFailurePublisher({ bus: around.bus });
    await eventually('the stream', () => around.bus.jsm.streams.info(SIP_FAILURES_STREAM).then(Boolean, () => false));
    await report('Edge-1', -10, [failed('REGISTER', '403', 5), failed('OPTIONS', 'none', 2, '2001:db8::9')]);
    await report('edge-1', -5, [failed('REGISTER', '403', 3)]);
    await report('edge-2', -5, [failed('REGISTER', '503', 1)]);
    await report('edge-2', -3_000, [failed('REGISTER', '503', 100)]);
    await eventually('the reports', async () => (await list('from=2026-01-01T00:00:00Z')).total === 111);
  });
  afterAll(() => around.stop());

  function failed(method: string, status: string, count: number, peer = '192.0.2.10'): SipFailureCount {
    return { method, status, peer, count };
  }

  async function report(
    frontEnd: string,
    minutes: number,
    failures: readonly SipFailureCount[],
    id: string = randomUUID(),
  ): Promise<void> {
    await publisher.publish({ v: 1, id, frontEnd, failures, receivedAt: NOW + minutes * MINUTE });
  }

  async function list(query = '', token = around.operator): Promise<SipFailureList> {
    const { body } = await aggregator.get<SipFailureList>(`/api/sip-failures?${query}`, token);
    return body;
  }

  it('are counted by front end, method, status and peer in the last day, the most frequent first', async () => {
    const { items, ...counts } = await list();
    expect(counts).toEqual({ total: 11, more: 0 });
    expect(items).toEqual([
      {
        frontEnd: 'edge-1',
        method: 'REGISTER',
        status: '403',
        peer: '192.0.2.10',
        failures: 8,
        firstAt: new Date(NOW - 10 * MINUTE).toISOString(),
        lastAt: new Date(NOW - 5 * MINUTE).toISOString(),
      },
      expect.objectContaining({ frontEnd: 'Edge-1', method: 'OPTIONS', status: 'none', peer: '2001:db8::9' }),
      expect.objectContaining({ frontEnd: 'edge-2', status: '503', failures: 1 }),
    ]);
  });

  it.each([
    ['method=OPTIONS', 2],
    ['method=OPTIONS,REGISTER', 11],
    ['status=503&status=none', 3],
    ['peer=192.0.2.10', 9],
    ['frontEnd=EDGE-1', 10],
    ['from=2026-01-01T00:00:00Z&frontEnd=edge-2', 101],
    [`from=${new Date(NOW - 7 * MINUTE).toISOString()}`, 4],
  ])('are found with %s', async (query, total) => expect((await list(query)).total).toBe(total));

  it('reports how many kinds are left out', async () => {
    const { items, total, more } = await list('limit=1');
    expect([items.length, total, more]).toEqual([1, 11, 2]);
  });

  it('are counted once when a report arrives again', async () => {
    const id = randomUUID();
    for (let times = 0; times < 3; times++) await report('twice', 0, [failed('MESSAGE', '480', 7)], id);
    await report('twice', 0, [failed('SUBSCRIBE', '489', 1)]);
    await eventually('the last report', async () => (await list('status=489')).total === 1);
    expect((await list('status=480')).total).toBe(7);
  });

  it('name no front end to operators without the role reveal', async () => {
    await report('anna@example.test', 0, [failed('MESSAGE', '404', 1)]);
    await eventually('the report', async () => (await list('frontEnd=anna@example.test')).total === 1);
    const text = JSON.stringify(await list('', around.plainOperator));
    expect(text).toContain('"404"');
    expect(text).not.toContain('anna');
    const shown = (await list('status=404', around.plainOperator)).items[0]?.frontEnd ?? '';
    expect((await list(`frontEnd=${shown}`, around.plainOperator)).total).toBe(1);
    const path = '/api/sip-failures?frontEnd=anna@example.test';
    expect((await aggregator.get<Problem>(path, around.plainOperator)).status).toBe(403);
  });

  it('are told by peer, with the trunk and device of its newest call', async () => {
    const ends = { addresses: ['10.0.0.1', '192.0.2.30'], ends: ['', '<Trunk>Nordtel</Trunk>'] } as const;
    const at = new Date(NOW - MINUTE).toISOString();
    await around.publish(published(startXml({ callId: 'over the trunk', at, ...ends })));
    await around.call(aggregator, 'over the trunk');
    for (const minutes of [-58, -33, -8]) await report('edge-3', minutes, [failed('OPTIONS', 'none', 9, '192.0.2.30')]);
    const peers = async (query = '', token = around.operator): Promise<FailingPeerList> =>
      (await aggregator.get<FailingPeerList>(`/api/sip-failures/peers?${query}`, token)).body;
    const flapping = {
      peer: '192.0.2.30',
      state: 'flapping',
      methods: ['OPTIONS'],
      statuses: ['none'],
      frontEnds: ['edge-3'],
      failures: 27,
      trunk: 'Nordtel',
      userAgent: null,
    };
    await eventually('the peer', async () => (await peers()).items[0]?.failures === 27);
    const { items, more } = await peers();
    expect(items.map(({ peer }) => peer)).toEqual(['192.0.2.30', '192.0.2.10', '2001:db8::9']);
    expect([items[0], more]).toEqual([expect.objectContaining(flapping), 0]);
    expect(items[0]?.slots.filter((failures) => failures === 9)).toHaveLength(3);
    expect(items[1]).toMatchObject({
      state: 'failing',
      statuses: ['403', '480', '489', '404', '503'].toSorted(),
      trunk: null,
    });
    expect((await peers('limit=1')).more).toBe(2);
    expect((await peers('frontEnd=EDGE-3')).items).toEqual([expect.objectContaining(flapping)]);
    expect(JSON.stringify(await peers('', around.plainOperator))).not.toContain('anna@');
  });

  it.each([
    'method=INVITE',
    'from=yesterday',
    'limit=0',
    'user=anna',
    'from=2026-03-02T10:00:00Z&to=2026-03-01T10:00:00Z',
  ])('are not listed with wrong parameters: %s', async (query) => {
    const { status, body } = await aggregator.get<Problem>(`/api/sip-failures?${query}`, around.operator);
    expect([status, body.code]).toEqual([400, 'bad-parameter']);
  });

  it('are for operators', async () => {
    expect((await aggregator.get('/api/sip-failures', around.user)).status).toBe(403);
  });
});
