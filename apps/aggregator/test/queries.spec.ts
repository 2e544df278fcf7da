import type { Call } from '../src/calls/call.js';
import { Surroundings, type Answer, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, qualityXml, startXml } from './feed-examples.js';

describe('the query API', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  const request = <T>(path: string): Promise<Answer<T>> => aggregator.get<T>(path, around.operator);
  const idsOf = async (query: string): Promise<readonly string[]> => {
    const { status, body } = await request<Page<Call>>(`/api/calls?${query}`);
    expect(status).toBe(200);
    return body.items.map(({ callId }) => callId);
  };

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const hour = (n: number): string => `2026-03-02T1${n}:00:00Z`;
    await around.publish(
      published(startXml({ callId: 'first', at: hour(0), from: 'anna', to: 'ben' })),
      published(endXml({ callId: 'first', at: '2026-03-02T10:10:00Z' })),
      published(qualityXml({ callId: 'first' }, 0.5)),
      published(startXml({ callId: 'second', at: hour(1), from: 'dora', to: 'ANNA', frontEnd: 'FE2.example.test' })),
      published(startXml({ callId: 'third', at: hour(2), from: 'ben', to: 'emil' })),
      published(startXml({ callId: 'fourth', at: hour(2), from: 'ben', to: 'emil' })),
    );
    await around.call(aggregator, 'first', ({ version }) => version === 3);
    for (const callId of ['second', 'third', 'fourth']) await around.call(aggregator, callId);
  });

  afterAll(() => around.stop());

  it('returns to everyone with a token their name and roles', async () => {
    const { status, body } = await aggregator.get('/api/me', around.user);
    const caller = { username: 'carol@example.test', sipAddress: 'sip:carol@example.test', roles: ['user'] };
    expect([status, body]).toEqual([200, { ...caller, expiresAt: expect.stringMatching(/Z$/) }]);
    expect((await aggregator.get('/api/me', 'made-up')).status).toBe(401);
  });

  it('lists calls, the newest first', async () => {
    expect(await idsOf('')).toEqual(['third', 'fourth', 'second', 'first']);
  });

  it.each([
    ['state=ended', ['first']],
    ['state=ended,active', ['third', 'fourth', 'second', 'first']],
    ['state=ended&state=active', ['third', 'fourth', 'second', 'first']],
    ['state=expired', []],
    ['verdict=bad', ['first']],
    ['verdict=good,poor', []],
    ['coverage=one', ['first']],
    ['verdict=bad&coverage=both,none', []],
    ['frontEnd=fe2.EXAMPLE.test', ['second']],
    ['user=sip:anna@example.test', ['second', 'first']],
    ['user=Anna@Example.Test', ['second', 'first']],
    ['user=nobody@example.test', []],
    ['from=2026-03-02T11:00:00Z', ['third', 'fourth', 'second']],
    ['to=2026-03-02T11:00:00Z', ['first']],
    ['from=2026-03-02T12:00:00%2B01:00&to=2026-03-02T11:00:00.001Z', ['second']],
    ['last=all', ['third', 'fourth', 'second', 'first']],
    ['last=36500d&verdict=bad', ['first']],
    ['last=90m', []],
    ['user=ben@example.test&state=active&frontEnd=fe1.example.test', ['third', 'fourth']],
  ])('filters by %s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  it('returns the CallId as the first property, in the list and for a single call', async () => {
    const { body } = await request<Page<Call>>('/api/calls?limit=1');
    const alone = await request<Call>('/api/calls/first');
    expect(Object.keys(body.items[0] ?? {}).slice(0, 2)).toEqual(['callId', 'state']);
    expect(Object.keys(alone.body).slice(0, 2)).toEqual(['callId', 'state']);
  });

  it('pages through the list without losing or repeating a call', async () => {
    const seen = await aggregator.all<Call>('/api/calls?limit=1&state=active', around.operator);
    expect(seen.map(({ callId }) => callId)).toEqual(['third', 'fourth', 'second']);
  });

  it('pages through a time until now, whose beginning moves on between pages', async () => {
    const ids = await aggregator.all<Call>('/api/calls?limit=1&last=36500d', around.operator);
    expect(ids.map(({ callId }) => callId)).toEqual(['third', 'fourth', 'second', 'first']);
    const { body } = await request<Page<Call>>('/api/calls?limit=1&last=36500d');
    const other = await request<Problem>(`/api/calls?limit=1&last=36499d&cursor=${body.next ?? ''}`);
    expect(other).toMatchObject({ status: 400, body: { code: 'bad-cursor' } });
  });

  it('rejects the cursor of other filters', async () => {
    const { body } = await request<Page<Call>>('/api/calls?limit=1');
    const other = await request<Problem>(`/api/calls?limit=1&verdict=bad&cursor=${body.next ?? ''}`);
    expect(other).toMatchObject({ status: 400, body: { code: 'bad-cursor', parameters: [{ name: 'cursor' }] } });
    expect((await request<Page<Call>>(`/api/calls?limit=3&cursor=${body.next ?? ''}`)).body.items).toHaveLength(3);
  });

  it.each([
    ['state=lost', 'state'],
    ['state=active&state=lost', 'state'],
    ['callId=a&callId=b', 'callId'],
    ['from=2026-03-02T10:00:00Z&from=2026-03-02T10:00:00Z', 'from'],
    ['verdict=', 'verdict'],
    ['coverage=half', 'coverage'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['from=yesterday', 'from'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['to=2026-03-02T10:00:00+01:00', 'to'],
    ['from=2026-03-02T10:00:00Z&to=2026-03-02T10:00:00Z', 'from'],
    ['last=24h&from=2026-03-02T10:00:00Z', 'last'],
    ['last=0h', 'last'],
    ['last=7w', 'last'],
    ['last=1e2h', 'last'],
    ['last=1h&last=2h', 'last'],
    ['user=', 'user'],
    ['user=sip:', 'user'],
    ['user=a%00b', 'user'],
    ['frontEnd=%00', 'frontEnd'],
    [`frontEnd=${'x'.repeat(300)}`, 'frontEnd'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    [`cursor=${Buffer.from('[1,2,3]').toString('base64url')}`, 'cursor'],
    ['order=up', 'order'],
    ['__proto__=x', '__proto__'],
    ['constructor=x', 'constructor'],
    ['toString=x', 'toString'],
  ])('replies 400 to %s with a reason', async (query, name) => {
    const { status, headers, body } = await request<Problem>(`/api/calls?${query}`);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({ status: 400, code: expect.stringMatching(/^bad-/), detail: expect.any(String) });
    expect(body.parameters).toEqual([expect.objectContaining({ name, reason: expect.any(String) })]);
  });

  it.each([
    '/api/calls/first?x=1',
    '/api/front-ends?limit=x',
    '/api/calls/stream?x=1',
    '/api/rejected-records?limit=x',
  ])('replies 400 to %s', async (path) => {
    expect((await request<Problem>(path)).body).toMatchObject({ status: 400, code: 'bad-parameter' });
  });

  it.each(['/api/calls/unknown', '/api/calls/a%00b', `/api/calls/${'x'.repeat(512)}`, `/api/calls/a%2Fb`])(
    'replies 404 to the unknown call %s',
    async (path) => {
      expect((await request<Problem>(path)).body).toMatchObject({ status: 404, code: 'no-such-call' });
    },
  );

  it('lists front ends with their activity', async () => {
    const { body } = await request<{ items: readonly unknown[] }>('/api/front-ends');
    expect(body.items).toEqual([
      {
        name: 'fe1.example.test',
        firstSeen: expect.stringMatching(/Z$/),
        lastSeen: expect.stringMatching(/Z$/),
        records: 5,
        duplicates: 0,
        late: 0,
        expired: 0,
        rejected: 0,
        callsInProgress: 2,
        recordsPerMinute: expect.any(Number),
        usualIntervalSeconds: null,
        // No collector runs here.
        answers: [],
      },
      expect.objectContaining({ name: 'FE2.example.test', records: 1, callsInProgress: 1 }),
    ]);
  });

  it.each(['/api/calls', '/api/calls/first', '/api/calls/stream', '/api/front-ends', '/api/rejected-records'])(
    'serves %s to operators only',
    async (path) => {
      const anonymous = await aggregator.get<Problem>(path);
      expect(anonymous).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      expect(anonymous.headers.get('www-authenticate')).toContain('href=');
      expect(await aggregator.get<Problem>(path, 'made-up')).toMatchObject({ status: 401 });
      expect(await aggregator.get<Problem>(path, around.user)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    },
  );
});
