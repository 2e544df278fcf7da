import type { Call } from '../src/calls/call.js';
import type { FrontEnd } from '../src/store/feed/front-ends.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, errorXml, published, startXml } from './feed-examples.js';

describe('the list of calls', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  const page = async (query: string): Promise<Page<Call>> => {
    const { status, body } = await aggregator.get<Page<Call>>(`/api/calls?${query}`, around.operator);
    expect([query, status]).toEqual([query, 200]);
    return body;
  };
  const idsOf = async (query: string): Promise<readonly string[]> =>
    (await page(query)).items.map(({ callId }) => callId);

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const day = (n: number, time = '10:00:00Z'): string => `2026-03-0${n}T${time}`;
    const links =
      '<ConversationId>Con;1</ConversationId><ConferenceId>CF1</ConferenceId><CorrelationId>co</CorrelationId>';
    await around.publish(
      published(startXml({ callId: 'Oslo1', at: day(1), addresses: ['10.1.2.3', '10.2.0.1'], header: links })),
      published(endXml({ callId: 'Oslo1', at: day(1, '10:05:00Z') })),
      published(startXml({ callId: 'oslo2', at: day(2), addresses: ['10.1.200.3', '192.0.2.7'], from: 'emil' })),
      published(errorXml({ callId: 'oslo2', at: day(2, '10:00:01Z') })),
      published(endXml({ callId: 'oslo2', at: day(2, '10:00:30Z'), from: 'emil' })),
      published(startXml({ callId: 'six', at: day(3), addresses: ['2001:db8:1:2::3', '::ffff:10.1.2.3'] })),
      published(
        startXml({ callId: 'made-up', at: day(4), addresses: ['10.1.2.', 'somewhere'], frontEnd: 'b.example.test' }),
      ),
      published(
        startXml({ callId: 'last', at: day(5), addresses: ['10.9.9.9', '10.9.9.8'], frontEnd: 'a.example.test' }),
      ),
      published(endXml({ callId: 'last', at: day(5, '10:05:00Z'), frontEnd: 'a.example.test' })),
    );
    const versions = { Oslo1: 2, oslo2: 3, six: 1, 'made-up': 1, last: 2 };
    for (const [callId, version] of Object.entries(versions)) {
      await around.call(aggregator, callId, (call) => call.version === version);
    }
  });
  afterAll(() => around.stop());

  it.each([
    ['address=10.1.2.3', ['six', 'Oslo1']],
    ['address=10.1.2.4', []],
    ['address=10.1.2.0/24', ['six', 'Oslo1']],
    ['address=10.1.0.0/16', ['six', 'oslo2', 'Oslo1']],
    ['address=10.1.128.0/17', ['oslo2']],
    ['address=10.1.2.2/31', ['six', 'Oslo1']],
    ['address=10.0.0.0/8', ['last', 'six', 'oslo2', 'Oslo1']],
    ['address=0.0.0.0/0', ['last', 'six', 'oslo2', 'Oslo1']],
    ['address=2001:DB8::/32', ['six']],
    ['address=2001:db8:1:2:0:0:0:3', ['six']],
    ['address=2001:db8:1:3::/64', []],
    ['address=::/0', ['six']],
    ['callId=OSLO1', ['Oslo1']],
    ['callId=oslo', []],
    ['conversationId=Con;1', ['Oslo1']],
    ['conversationId=con;1', []],
    ['conferenceId=CF1&correlationId=co', ['Oslo1']],
    ['conferenceId=co', []],
    ['errorCode=403', ['oslo2']],
    ['errorCode=404,403', ['oslo2']],
    ['errorCode=404&errorCode=0403', ['oslo2']],
    ['errorCode=404', []],
    ['errorCode=11007', []],
    ['diagnosticsCode=11007', ['oslo2']],
    ['address=10.1.0.0/16&errorCode=403&state=ended&user=emil@example.test&from=2026-03-02T00:00:00Z', ['oslo2']],
    ['address=10.1.0.0/16&errorCode=403&state=active', []],
    ['q=SLO', ['oslo2', 'Oslo1']],
    ['q=slo%20emil', ['oslo2']],
    ['q=%C3%89mil%40', ['oslo2']],
    ['q=10.1.200', ['oslo2']],
    ['q=not%20enabled', ['oslo2']],
    ['q=con%3B1&address=10.1.2.0/24', ['Oslo1']],
    ['q=a.example.test', ['last']],
    ['q=anna%25ben', []],
    ['q=o_lo', []],
    ['q=%25slo', []],
    ['q=slo%25', []],
    ['q=%5C%5Cslo', []],
    ["q=slo'%20union%20select--", []],
    ['q=%E2%80%AEolso', []],
    ['q=%D7%90%D7%91%D7%92%20%D9%85%D8%B1%D8%AD%D8%A8%D8%A7', []],
    ['q=slo&not.state=ended,active,held,failed', []],
    ['q=%D7%A9%D7%9C%D7%95%D7%9D', []],
    ['address=10.1.0.0/16&frontEnd=FE1.example.test&user=anna@example.test&to=2026-03-02T00:00:00Z', ['Oslo1']],
  ])('is filtered by %s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
  });

  it.each([
    ['sort=newest', ['last', 'made-up', 'six', 'oslo2', 'Oslo1']],
    ['sort=oldest', ['Oslo1', 'oslo2', 'six', 'made-up', 'last']],
    ['sort=longest', ['Oslo1', 'last', 'oslo2']],
    ['sort=shortest', ['oslo2', 'last', 'Oslo1']],
    ['sort=shortest&address=10.1.0.0/16', ['oslo2', 'Oslo1']],
    ['sort=longest&from=2026-03-02T00:00:00Z&to=2026-03-06T00:00:00Z', ['last', 'oslo2']],
    ['sort=shortest&from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z', ['oslo2', 'Oslo1']],
  ])('is sorted by %s, page by page', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected);
    const seen = (await aggregator.all<Call>(`/api/calls?${query}&limit=1`, around.operator)).map(
      ({ callId }) => callId,
    );
    expect(seen).toEqual(expected);
  });

  it('rejects the cursor of another order', async () => {
    const { next } = await page('sort=longest&limit=1');
    const { status, body } = await aggregator.get<Problem>(`/api/calls?cursor=${next ?? ''}`, around.operator);
    expect([status, body.code]).toEqual([400, 'bad-cursor']);
  });

  it('rejects a cursor that was changed anywhere or truncated, and the cursor of another kind of list', async () => {
    const { next } = await page('limit=1');
    const bytes = Buffer.from(next ?? '', 'base64url');
    const flipped = [0, 11, 12, 27, 28, bytes.length - 1].map((at) =>
      bytes.map((byte, n) => (n === at ? byte ^ 1 : byte)),
    );
    const cut = [1, 12, 28, bytes.length - 1].map((length) => bytes.subarray(0, length));
    const plain = Buffer.from(JSON.stringify([0, '', '']));
    for (const wrong of [...flipped, ...cut, plain].map((each) => Buffer.from(each).toString('base64url'))) {
      const { status, body } = await aggregator.get<Problem>(`/api/calls?limit=1&cursor=${wrong}`, around.operator);
      expect([wrong, status, body.code]).toEqual([wrong, 400, 'bad-cursor']);
    }
    const { status, body } = await aggregator.get<Problem>(`/api/front-ends?cursor=${next ?? ''}`, around.operator);
    expect([status, body.code]).toEqual([400, 'bad-cursor']);
  });

  it.each([
    ['address=', 'address'],
    ['address=10.1', 'address'],
    ['address=10.1.0.0/33', 'address'],
    ['address=10.1.0.0/-1', 'address'],
    ['address=10.1.0.0/', 'address'],
    ['address=anna@example.test', 'address'],
    ['address=10.0.0.1&address=10.0.0.2', 'address'],
    ["address=10.0.0.1'", 'address'],
    ['callId=', 'callId'],
    [`callId=${'x'.repeat(513)}`, 'callId'],
    ['callId=a&callId=b', 'callId'],
    ['conversationId=%00', 'conversationId'],
    ['conferenceId=%20', 'conferenceId'],
    [`correlationId=${'x'.repeat(513)}`, 'correlationId'],
    ['errorCode=', 'errorCode'],
    ['errorCode=40x', 'errorCode'],
    ['errorCode=-1', 'errorCode'],
    ['errorCode=1.5', 'errorCode'],
    ['errorCode=1234567890', 'errorCode'],
    [`errorCode=${'1,'.repeat(50)}1`, 'errorCode'],
    ['diagnosticsCode=403,,2', 'diagnosticsCode'],
    ['q=', 'q'],
    ['q=ab', 'q'],
    ['q=%25%25%25', 'q'],
    ['q=anna%20___', 'q'],
    ['q=%E2%80%8F%E2%80%8F%E2%80%8F', 'q'],
    ['q=%07%07%07', 'q'],
    ['q=anna%7Fben', 'q'],
    ['state=failed&not.state=failed', 'not.state'],
    ['user=anna%40example.test&not.user=sip:anna%40example.test', 'not.user'],
    ['dscp=46&not.dscp=046', 'not.dscp'],
    ['q=anna%00ben', 'q'],
    ['q=anna%0Aben', 'q'],
    ['q=anna&q=ben', 'q'],
    ['q=one%20two%20three%20four%20five%20six%20seven%20eight%20nine', 'q'],
    [`q=${'x'.repeat(10_000)}`, 'q'],
    ['sort=duration', 'sort'],
    ['sort=newest&sort=oldest', 'sort'],
    ['sort=__proto__', 'sort'],
  ])('replies 400 to %s', async (query, name) => {
    const { status, body } = await aggregator.get<Problem>(`/api/calls?${query}`, around.operator);
    expect([status, body.code, body.parameters?.[0]?.name]).toEqual([400, 'bad-parameter', name]);
    // For the words of other languages.
    expect(body.parameters?.[0]?.code).toBeDefined();
  });

  it.each([
    ['state=lost', 'choice'],
    ['from=soon', 'time'],
    ['last=soon', 'period'],
    ['minLoss=7', 'number'],
    ['limit=0', 'number'],
    ['address=10.1', 'text'],
    ['q=ab', 'words'],
    ['from=2026-03-02T10:00:00Z&to=2026-03-01T10:00:00Z', 'order'],
    ['minMos=4&maxMos=3', 'order'],
    ['last=1h&from=2026-03-02T10:00:00Z', 'conflict'],
    ['q=anna&q=ben', 'repeated'],
    ['shoeSize=44', 'unknown'],
  ])('gives %s the code %s', async (query, code) => {
    const { body } = await aggregator.get<Problem>(`/api/calls?${query}`, around.operator);
    expect(body.parameters?.map((parameter) => parameter.code)).toEqual([code]);
  });

  it('lists front ends page by page, by name', async () => {
    const items = await aggregator.all<FrontEnd>('/api/front-ends?limit=2', around.operator);
    const names = items.map(({ name }) => name);
    expect(names).toEqual(['a.example.test', 'b.example.test', 'fe1.example.test']);
  });

  it.each([
    'limit=0',
    'limit=201',
    'cursor=',
    'cursor=x',
    'cursor=WzFd',
    'cursor=WyJhIiwiYiJd',
    'cursor=WyJcdTAwMDAiXQ',
    'name=x',
  ])('replies 400 to front ends with %s', async (query) => {
    const { status, body } = await aggregator.get<Problem>(`/api/front-ends?${query}`, around.operator);
    expect([status, body.code]).toEqual([400, expect.stringMatching(/^bad-/)]);
  });
});
