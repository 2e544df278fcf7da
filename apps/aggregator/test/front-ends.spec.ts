import type { PublishedRecord } from '@ringdown/contracts/records';
import { RejectedRecords } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import type { Alert, AlertRule as ShownRule } from '@ringdown/answers/alerts';
import type { Call } from '../src/calls/call.js';
import type { Activity } from '../src/store/feed/front-end-activity.js';
import type { FrontEnd } from '../src/store/feed/front-ends.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, qualityXml, startXml } from './feed-examples.js';

type FrontEndHealth = FrontEnd & { readonly rejected: number | null; readonly activity: Activity };

const MINUTE = 60_000;

describe('a feed without the name of a front end', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  const subject = 'CN=fe9.example.test,O=Example';
  const pool = 'pool9.example.test';

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ ALERT_SECONDS: '1' });
    const header = (callId: string, version: string, more: string): string =>
      `<Diagnostics Version="${version}"><ConnectionInfo><CallId>${callId}</CallId><TimeStamp>2026-03-02T10:00:00Z</TimeStamp>${more}</ConnectionInfo></Diagnostics>`;
    const sent = (xml: string): PublishedRecord => published(xml, Date.now() - 10 * MINUTE);
    await around.publish(
      { ...sent(header('of-address', 'A', '')), remoteAddress: '192.0.2.9' },
      { ...sent(header('of-pool', 'C', `<SourcePool>${pool}</SourcePool>`)), remoteAddress: '192.0.2.9' },
      {
        ...sent(header('of-list', 'D', `<FrontEnds>fe8,fe9</FrontEnds><Pools>${pool}</Pools>`)),
        certificateSubject: subject,
      },
    );
    for (const callId of ['of-address', 'of-pool', 'of-list']) await around.call(aggregator, callId);
  });
  afterAll(() => around.stop());

  it('is listed by pool, certificate or address', async () => {
    const { body } = await aggregator.get<Page<FrontEndHealth>>('/api/front-ends', around.plainOperator);
    expect(body.items.map(({ name, records }) => [name, records])).toEqual([
      ['192.0.2.9', 1],
      [expect.stringMatching(/^CN=fe9\.example\.test,O=hidden-/), 1],
      [pool, 1],
    ]);
    const [, shown] = body.items.map(({ name }) => encodeURIComponent(name));
    expect(
      (await aggregator.get<FrontEndHealth>(`/api/front-ends/${shown ?? ''}`, around.plainOperator)).body,
    ).toMatchObject({
      records: 1,
    });
  });

  it.each([
    ['frontEnd', [expect.stringMatching(/^cn=fe9\.example\.test,o=hidden-/)]],
    ['not.frontEnd', ['192.0.2.9', pool]],
  ])('is chosen in alert rules by what is shown of its name, with %s', async (parameter, scopes) => {
    const { items } = (await aggregator.get<Page<FrontEndHealth>>('/api/front-ends', around.plainOperator)).body;
    const shown = items.find(({ name }) => name.startsWith('CN='))?.name ?? '';
    const body = { name: 'x', measure: 'silentFeed', limit: 300, search: { [parameter]: shown } };
    const rule = await aggregator.send<ShownRule>('POST', '/api/alert-rules', around.plainOperator, { body });
    expect(rule.status).toBe(201);
    const alerts = await eventually('alerts', async () => {
      const found = await aggregator.all<Alert>(`/api/alerts?rule=${rule.body.id}`, around.plainOperator);
      return found.length > 0 && found;
    });
    expect(alerts.map(({ scope }) => scope['frontEnd'] ?? '').sort()).toEqual(scopes);
  });

  it.each([
    ['frontEnd=192.0.2.9', ['of-address']],
    [`frontEnd=${pool}`, ['of-pool']],
    [`pool=${pool.toUpperCase()}`, ['of-list', 'of-pool']],
    ['frontEnd=fe8', ['of-list']],
    [`frontEnd=${encodeURIComponent(subject)}`, ['of-list']],
  ])('has calls that are found by %s', async (query, callIds) => {
    const { body } = await aggregator.get<Page<Call>>(`/api/calls?${query}`, around.operator);
    expect(body.items.map(({ callId }) => callId).sort()).toEqual(callIds);
  });
});

describe('the health of a front end', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  const now = Date.now();
  const frontEnd = 'Fe7.example.test';

  const health = async (query = ''): Promise<FrontEndHealth> => {
    const { status, body } = await aggregator.get<FrontEndHealth>(
      `/api/front-ends/${frontEnd}${query}`,
      around.operator,
    );
    expect(status).toBe(200);
    return body;
  };

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const first = published(startXml({ callId: 'one', frontEnd }), now - 180 * MINUTE);
    await around.publish(first, { ...first, id: 'a copy', receivedAt: first.receivedAt + 1_000 });
    await around.publish(published(endXml({ callId: 'one', frontEnd }), now - 179 * MINUTE));
    await around.call(aggregator, 'one', ({ version }) => version === 2);
    await around.publish(published(qualityXml({ callId: 'one', frontEnd }, 0.1), now - 100 * MINUTE));
    await around.publish(published(startXml({ callId: 'two', frontEnd: frontEnd.toUpperCase() }), now - 2 * MINUTE));
    await around.call(aggregator, 'one', ({ version }) => version === 3);
    await around.call(aggregator, 'two');
    const rejected = new RejectedRecords(around.bus);
    const letter = { receivedAt: now, remoteAddress: '10.0.0.9', path: '/', code: 'malformed', reason: 'cut off' };
    await rejected.store({
      ...letter,
      body: `<Diagnostics><ConnectionInfo><FrontEnd>fe7.EXAMPLE.test</FrontEnd><CallId>`,
    });
    await rejected.store({ ...letter, body: `<d:FrontEnds>other.example.test, ${frontEnd}</d:FrontEnds>` });
    await rejected.store({ ...letter, body: 'nobody' });
  });
  afterAll(() => around.stop());

  it('contains what it sent, when, and the results', async () => {
    expect(await health()).toMatchObject({
      name: frontEnd,
      firstSeen: new Date(now - 180 * MINUTE).toISOString(),
      lastSeen: new Date(now - 2 * MINUTE).toISOString(),
      records: 4,
      duplicates: 1,
      late: 1,
      expired: 0,
      rejected: 2,
      callsInProgress: 1,
      activity: { records: 4, duplicates: 1, late: 1, expired: 0 },
      newestCalls: {
        calls: 2,
        clockSkewSeconds: expect.any(Number),
        kinds: [
          { kind: 'startOrUpdate', records: 2 },
          { kind: 'ended', records: 1 },
          { kind: 'qualityUpdate', records: 1 },
        ],
      },
    });
  });

  it('contains the periods in which nothing arrived', async () => {
    const { activity } = await health('?gapSeconds=3600');
    expect(activity.gaps).toEqual([
      {
        from: new Date(now - 179 * MINUTE).toISOString(),
        to: new Date(now - 100 * MINUTE).toISOString(),
        seconds: 79 * 60,
      },
      {
        from: new Date(now - 100 * MINUTE).toISOString(),
        to: new Date(now - 2 * MINUTE).toISOString(),
        seconds: 98 * 60,
      },
    ]);
    const short = (await health('?gapSeconds=60')).activity.gaps;
    expect(short.at(-1)).toMatchObject({ from: new Date(now - 2 * MINUTE).toISOString(), to: null });
    expect((await health('?gapSeconds=86400')).activity.gaps).toEqual([]);
    // The last one begins before the hour that is asked for.
    expect((await health('?gapSeconds=3600&hours=1')).activity.gaps).toEqual(activity.gaps.slice(-1));
  });

  it('contains its usual interval at this time of day, from the days before', async () => {
    const usual = 'usual.example.test';
    const hoursAgo = [50, ...Array.from({ length: 12 }, () => 48), ...Array.from({ length: 12 }, () => 24), 21];
    await around.publish(
      ...hoursAgo.map((hours, index) =>
        published(startXml({ callId: `usual-${index}`, frontEnd: usual }), now - hours * 60 * MINUTE),
      ),
    );
    await around.call(aggregator, `usual-${hoursAgo.length - 1}`);
    await eventually('all records', async () => {
      const { body } = await aggregator.get<FrontEndHealth>(`/api/front-ends/${usual}`, around.operator);
      return body.records === hoursAgo.length;
    });
    const { body } = await aggregator.get<FrontEndHealth>(`/api/front-ends/${usual}?hours=2`, around.operator);
    const since = new Date(now - 21 * 60 * MINUTE).toISOString();
    expect(body.activity.gaps).toEqual([{ from: since, to: null, seconds: expect.any(Number) }]);
    // 24 records in two hours of each of two days.
    expect(body.usualIntervalSeconds).toBe(600);
    expect((await health()).usualIntervalSeconds).toBeNull();
  });

  it('covers the requested hours, and contains the rate of the last 15 minutes', async () => {
    const { activity, recordsPerMinute } = await health('?hours=1');
    expect(activity).toMatchObject({ records: 1, duplicates: 0, late: 0 });
    expect(Date.parse(activity.to) - Date.parse(activity.from)).toBeGreaterThanOrEqual(3_600_000);
    // One record in 15 to 20 minutes, later ones when this test is slow.
    expect(recordsPerMinute).toBeLessThanOrEqual(0.07);
    expect((await health('?hours=168')).activity.recordsPerMinute).toBe(0);
  });

  it('is shorter in the list', async () => {
    const { body } = await aggregator.get<Page<FrontEndHealth>>('/api/front-ends', around.operator);
    expect(body.items.map(({ name }) => name)).toEqual([frontEnd, 'usual.example.test']);
    expect(body.items[0]).toMatchObject({ name: frontEnd, late: 1, rejected: 2, records: 4 });
    expect(body.items[0]).not.toHaveProperty('activity');
  });

  it.each([
    ['unknown.example.test', 404, 'no-such-front-end'],
    ['a%00b', 404, 'no-such-front-end'],
    ['x'.repeat(300), 404, 'no-such-front-end'],
    ['fe7.example.test?hours=0', 400, 'bad-parameter'],
    ['fe7.example.test?hours=169', 400, 'bad-parameter'],
    ['fe7.example.test?hours=1.5', 400, 'bad-parameter'],
    ['fe7.example.test?hours=1&hours=2', 400, 'bad-parameter'],
    ['fe7.example.test?gapSeconds=59', 400, 'bad-parameter'],
    ['fe7.example.test?gapSeconds=x', 400, 'bad-parameter'],
    ['fe7.example.test?days=1', 400, 'bad-parameter'],
  ])('replies to %s with %i', async (path, status, code) => {
    expect(await aggregator.get<Problem>(`/api/front-ends/${path}`, around.operator)).toMatchObject({
      status,
      body: { code },
    });
  });

  it('is for operators only', async () => {
    expect((await aggregator.get<Problem>(`/api/front-ends/${frontEnd}`)).status).toBe(401);
    expect((await aggregator.get<Problem>(`/api/front-ends/${frontEnd}`, around.user)).status).toBe(403);
  });
});
