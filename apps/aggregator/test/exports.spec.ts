import { Surroundings, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

/** More than fit on one page of an export. */
const CALLS = 520;

describe('exports of calls', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const time = (n: number): string => new Date(Date.UTC(2026, 2, 2, 10) + n * 1_000).toISOString();
    await around.publish(
      ...Array.from({ length: CALLS }, (_, n) => published(startXml({ callId: `call${n}`, at: time(n) }))),
      published(endXml({ callId: 'call7', at: time(60) })),
    );
    for (let n = 0; n < CALLS; n++)
      await around.call(aggregator, `call${n}`, ({ version }) => version >= (n === 7 ? 2 : 1));
  });
  afterAll(() => around.stop());

  async function get(path: string, token = around.operator, method = 'GET'): Promise<Response> {
    return fetch(`${aggregator.origin}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  }

  it('contain all matching calls, as CSV', async () => {
    const answer = await get('/api/calls.csv?sort=oldest');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="calls.csv"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const lines = (await answer.text()).split('\r\n');
    expect(lines).toHaveLength(CALLS + 2);
    expect(lines[0]).toMatch(/^callId,state,/);
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(
      Array.from({ length: CALLS }, (_, n) => `call${n}`),
    );
  });

  it('contain all matching calls, one JSON document per line', async () => {
    const answer = await get('/api/calls.ndjson');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = (await answer.text()).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(CALLS);
    expect(new Set(lines.map((line) => (JSON.parse(line) as { callId: string }).callId)).size).toBe(CALLS); // oxlint-disable-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
  });

  it('use the same filters as the list', async () => {
    const lines = (await (await get('/api/calls.csv?state=ended&address=10.0.0.0/24')).text()).split('\r\n');
    expect(lines[1]).toMatch(/^call7,ended,ended,/);
    expect(lines).toHaveLength(3);
    expect(await (await get('/api/calls.ndjson?user=nobody@example.test')).text()).toBe('');
  });

  it('reply to HEAD with the head', async () => {
    const answer = await get('/api/calls.csv', around.operator, 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-disposition')).toContain('calls.csv');
    // The length is not known yet.
    expect(answer.headers.get('content-length')).toBeNull();
  });

  it('hide users, and show them to operators who may see them', async () => {
    const hidden = await (await get('/api/calls.csv?callId=call1', around.plainOperator)).text();
    expect(hidden).toMatch(/sip:[0-9A-F]{16}@example\.test/);
    expect(hidden).not.toContain('anna');
    const refused = await aggregator.get<Problem>('/api/calls.csv?identities=shown', around.plainOperator);
    expect([refused.status, refused.body.code]).toEqual([403, 'may-not-reveal']);
    for (const parameter of ['', '&identities=shown']) {
      const shown = await get(`/api/calls.ndjson?callId=call1${parameter}`);
      expect(await shown.text()).toContain('sip:anna@example.test');
    }
    expect(await (await get('/api/calls.ndjson?callId=call1&identities=hidden')).text()).not.toContain('anna@');
  });

  it.each([
    ['identities=all', 'identities'],
    ['state=lost', 'state'],
    ['limit=5', 'limit'],
    ['cursor=x', 'cursor'],
    ['sort=up', 'sort'],
    ['address=10', 'address'],
    ['from=2026-03-02T10:00:00Z&to=2026-03-02T10:00:00Z', 'from'],
  ])('reply 400 to %s', async (query, name) => {
    for (const format of ['csv', 'ndjson']) {
      const { status, body } = await aggregator.get<Problem>(`/api/calls.${format}?${query}`, around.operator);
      expect([status, body.code, body.parameters?.[0]?.name]).toEqual([400, 'bad-parameter', name]);
    }
  });

  it('are for operators only, and only in these formats', async () => {
    expect((await get('/api/calls.csv', 'made-up')).status).toBe(401);
    expect((await get('/api/calls.ndjson', around.user)).status).toBe(403);
    expect((await get('/api/calls.xlsx')).status).toBe(404);
  });
});
