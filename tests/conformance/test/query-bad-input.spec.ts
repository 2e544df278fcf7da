import type { Dispatcher } from 'undici';
import { at, header, json, type Answer } from '../src/answer.js';
import { Operator } from '../src/operator.js';
import { signIn, tokenServiceIn } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

const READS = [
  ['listCalls', '/api/calls'],
  ['followCalls', '/api/calls/stream'],
  ['readCall', '/api/calls/x'],
  ['readCallTimeline', '/api/calls/x/timeline'],
  ['readCallMetrics', '/api/calls/x/metrics'],
  ['readCallSurroundings', '/api/calls/x/surroundings'],
  ['followCallMetrics', '/api/calls/x/metrics/stream'],
  ['suggestValues', '/api/suggest?field=codec'],
  ['listFrontEnds', '/api/front-ends'],
  ['readFrontEnd', '/api/front-ends/x'],
  ['countStreams', '/api/statistics/streams'],
  ['readMetrics', '/api/statistics/metrics?metric=loss'],
  ['readLoad', '/api/statistics/load'],
  ['countCalls', '/api/statistics/total'],
  ['listSuspects', '/api/suspects'],
  ['exportCallsCsv', '/api/calls.csv'],
  ['exportCallsNdjson', '/api/calls.ndjson'],
  ['listServices', '/api/services'],
  ['listRejectedRecords', '/api/rejected-records'],
  ['listAlerts', '/api/alerts'],
  ['readAlert', '/api/alerts/x'],
  ['listAlertReceivers', '/api/alert-receivers'],
  ['listTrunkLimits', '/api/limits/trunk'],
] as const;

/** Paths that can also be written. */
const WRITABLE = [
  ['listSearches', '/api/searches'],
  ['readSearch', '/api/searches/x'],
  ['listAlertRules', '/api/alert-rules'],
  ['readAlertRule', '/api/alert-rules/x'],
  ['readTrunkLimit', '/api/limits/trunk/x'],
] as const;

/** For administrators. */
const PEOPLE = [
  ['listPeople', '/api/people'],
  ['readPerson', '/api/people/nobody@example.test'],
  ['listSessions', '/api/people/nobody@example.test/sessions'],
] as const;

describe('the query API with wrong requests', () => {
  const client = new WebClient();
  const { names, user } = client.system;
  let operator: Operator;
  let userToken: string;

  beforeAll(async () => {
    operator = await Operator.signIn(client);
    userToken = await signIn(client, user);
  });
  afterAll(() => client.close());

  /** Checks that the next good request works. */
  afterEach(async () => {
    expect((await operator.call('listCalls', '/api/calls?limit=1')).status).toBe(200);
  });

  it.each([...READS, ...WRITABLE, ...PEOPLE])('%s needs a token', async (operation, url) => {
    for (const token of [undefined, 'y'.repeat(43)]) {
      const answer = await client.call(operation, { url, token });
      expect([answer.status, at(json(answer), 'code')]).toEqual([401, 'unauthorized']);
      expect(tokenServiceIn(answer, names.challengeScheme)).toMatch(/^https:/);
    }
  });

  it.each([...READS, ...WRITABLE, ...PEOPLE])('%s needs a role', async (operation, url) => {
    const answer = await client.call(operation, { url, token: userToken });
    expect([answer.status, at(json(answer), 'code')]).toEqual([403, 'forbidden']);
  });

  it.each(READS)('%s rejects other methods', async (_operation, url) => {
    for (const method of ['POST', 'DELETE', 'PATCH'] as Dispatcher.HttpMethod[]) {
      const answer = await client.misuse('api', { method, url, token: operator.token });
      expect([answer.status, header(answer, 'allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it.each([
    ['identities=all', 'identities'],
    ['state=dancing', 'state'],
    ['state=', 'state'],
    ['verdict=good,great', 'verdict'],
    ['frontEnd=', 'frontEnd'],
    [`frontEnd=${'f'.repeat(300)}`, 'frontEnd'],
    ['callId=a&callId=b', 'callId'],
    [`frontEnd=${'a&frontEnd='.repeat(50)}a`, 'frontEnd'],
    ['not.colour=red', 'not.colour'],
    ['not.frontEnd=', 'not.frontEnd'],
    ['codec=a&codec=b&not.codec=b&not.codec=a', 'not.codec'],
    ['state=failed&not.state=failed', 'not.state'],
    ['minDurationSeconds=2&maxDurationSeconds=1', 'minDurationSeconds'],
    [`q=${'q'.repeat(10_000)}`, 'q'],
    ['frontEnd=%00', 'frontEnd'],
    ['user=', 'user'],
    [`user=${'u'.repeat(300)}`, 'user'],
    ['user=a%00b', 'user'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01T00:00:00Z', 'to'],
    ['from=2026-02-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${'c'.repeat(3_000)}`, 'cursor'],
    ['address=everywhere', 'address'],
    ['address=10.0.0.0/33', 'address'],
    ['callId=', 'callId'],
    ['errorCode=busy', 'errorCode'],
    ['sort=loudest', 'sort'],
    ['colour=red', 'colour'],
  ])('rejects a list of calls with a wrong parameter (%#)', async (parameters, name) => {
    const answer = await operator.call('listCalls', `/api/calls?${parameters}`);
    expect([answer.status, at(json(answer), 'parameters', 0, 'name')]).toEqual([400, name]);
  });

  it('a cursor is valid only with the filters of its page', async () => {
    const page = await operator.read('listCalls', '/api/calls?limit=1');
    const next = at(page, 'next');
    const cursor = typeof next === 'string' ? next : 'WzEsIngiLCJ5Il0';
    const answer = await operator.call('listCalls', `/api/calls?limit=1&state=failed&cursor=${cursor}`);
    expect([answer.status, at(json(answer), 'code')]).toEqual([400, 'bad-cursor']);
  });

  it.each(["' or 1=1 --", '<script>', '%', '\u{1F600}', 'a;b', '*'])(
    'the text %s in a filter or an id finds nothing and breaks nothing',
    async (text) => {
      const encoded = encodeURIComponent(`${text}${unique('x')}`);
      const list = await operator.read('listCalls', `/api/calls?frontEnd=${encoded}`);
      expect(at(list, 'items')).toEqual([]);
      const one = await operator.call('readCall', `/api/calls/${encoded}`);
      expect([one.status, at(json(one), 'code')]).toEqual([404, 'no-such-call']);
    },
  );

  it.each(['%%%', '___', '\u202E\u202E\u202E', '\u0007\u0007\u0007', '-- '])(
    'a search for %j, which no index finds, is rejected',
    async (q) => {
      const answer = await operator.call('listCalls', `/api/calls?q=${encodeURIComponent(q)}`);
      expect([answer.status, at(json(answer), 'parameters', 0, 'name')]).toEqual([400, 'q']);
    },
  );

  it('saves, changes and deletes a search, and rejects what is wrong in it', async () => {
    const { token } = operator;
    const headers = { 'content-type': 'application/json' };
    const content = (parameters: object): string => JSON.stringify({ name: unique('search'), parameters });
    const save = (body: string): Promise<Answer> =>
      client.call('saveSearch', { method: 'POST', url: '/api/searches', token, headers, body });
    for (const body of ['', '[]', '{', content({ q: '%%%' }), content({ codec: 'a', 'not.codec': 'a' })])
      expect((await save(body)).status).toBe(400);
    const saved = await save(content({ codec: ['PCMU', 'PCMA'], sort: 'longest' }));
    const { id, etag } = json(saved) as { id: string; etag: string }; // oxlint-disable-line typescript/no-unsafe-type-assertion -- checked against OpenAPI
    const url = `/api/searches/${id}`;
    const change = (match: Readonly<Record<string, string>>): Promise<Answer> =>
      client.call('changeSearch', { method: 'PUT', url, token, headers: { ...headers, ...match }, body: content({}) });
    expect((await change({})).status).toBe(428);
    expect((await change({ 'if-match': '"0"' })).status).toBe(412);
    expect((await change({ 'if-match': etag })).status).toBe(200);
    expect((await operator.call('listSearches', '/api/searches')).status).toBe(200);
    expect((await client.call('deleteSearch', { method: 'DELETE', url, token })).status).toBe(204);
    expect((await operator.call('readSearch', url)).status).toBe(404);
  });

  it('creates, tries, changes and deletes an alert rule, and rejects what is wrong in it', async () => {
    const { token } = operator;
    const headers = { 'content-type': 'application/json' };
    const url = '/api/alert-rules';
    const content = (more: object): string =>
      JSON.stringify({ name: unique('rule'), measure: 'badCalls', limit: 0.2, ...more });
    const create = (body: string): Promise<Answer> =>
      client.call('createAlertRule', { method: 'POST', url, token, headers, body });
    const preview = (body: string): Promise<Answer> =>
      client.call('previewAlertRule', { method: 'POST', url: `${url}/preview`, token, headers, body });
    for (const body of [
      '',
      '[]',
      '{',
      content({ limit: 2 }),
      content({ search: { q: '%%%' } }),
      content({ by: 'user' }),
    ]) {
      expect((await create(body)).status).toBe(400);
      expect((await preview(body)).status).toBe(400);
    }
    const silences = [{ days: ['monday'], from: '22:00', to: '06:00' }];
    const rule = content({ by: 'trunk', search: { codec: ['PCMU', 'PCMA'] }, silences });
    expect((await preview(rule)).status).toBe(200);
    const created = await create(rule);
    const { id, etag } = json(created) as { id: string; etag: string }; // oxlint-disable-line typescript/no-unsafe-type-assertion -- checked against OpenAPI
    const one = `${url}/${id}`;
    const change = (match: Readonly<Record<string, string>>): Promise<Answer> =>
      client.call('changeAlertRule', {
        method: 'PUT',
        url: one,
        token,
        headers: { ...headers, ...match },
        body: content({ measure: 'silentFeed', limit: 900 }),
      });
    expect((await change({})).status).toBe(428);
    expect((await change({ 'if-match': '"0"' })).status).toBe(412);
    expect((await change({ 'if-match': etag })).status).toBe(200);
    expect((await operator.call('listAlertRules', url)).status).toBe(200);
    const test = { method: 'POST', url: `${one}/test`, token } as const;
    expect((await client.call('testAlertRule', test)).status).toBe(200);
    expect((await client.call('deleteAlertRule', { method: 'DELETE', url: one, token })).status).toBe(204);
    expect((await operator.call('readAlertRule', one)).status).toBe(404);
  });

  it('a path with dot segments finds nothing, whether or not a proxy resolves them', async () => {
    const list = await operator.read('listCalls', `/api/calls?frontEnd=${encodeURIComponent('../../etc/passwd')}`);
    expect(at(list, 'items')).toEqual([]);
    const one = await client.send({ url: '/api/calls/..%2F..%2Fetc%2Fpasswd', token: operator.token });
    expect([one.status, one.headers['content-type']]).toEqual([404, expect.stringMatching(/json/)]);
  });

  it('an id with a zero byte is invalid', async () => {
    const answer = await operator.call('readCall', '/api/calls/a%00b');
    expect([400, 404]).toContain(answer.status);
  });

  it.each(['/api', '/api/', '/api/nothing', '/api/calls/a/b'])('%s does not exist', async (url) => {
    const answer = await client.misuse('api', { url, token: operator.token });
    expect([answer.status, at(json(answer), 'code')]).toEqual([404, 'not-found']);
  });

  it('an endless id is rejected', async () => {
    const answer = await operator.call('readCall', `/api/calls/${'c'.repeat(2_000)}`);
    expect([answer.status, at(json(answer), 'code')]).toEqual([400, 'malformed']);
  });

  it.each([
    ['listRejectedRecords', '/api/rejected-records?limit=1000'],
    ['listFrontEnds', '/api/front-ends?deep=1'],
    ['readFrontEnd', '/api/front-ends/x?hours=0'],
    ['countStreams', '/api/statistics/streams?by=colour'],
    ['countStreams', '/api/statistics/streams?sort=worst'],
    ['readMetrics', '/api/statistics/metrics'],
    ['readMetrics', '/api/statistics/metrics?metric=loudness'],
    ['suggestValues', '/api/suggest?field=shoeSize'],
    ['suggestValues', '/api/suggest?field=__proto__&q=a'],
    ['suggestValues', `/api/suggest?field=codec&q=${'q'.repeat(10_000)}`],
    ['listSearches', '/api/searches?owner=carol'],
    ['listAlertRules', '/api/alert-rules?limit=1'],
    ['listAlerts', '/api/alerts?open=perhaps'],
    ['listAlertReceivers', '/api/alert-receivers?kind=webhook'],
    ['readAlert', '/api/alerts/x?deep=1'],
    ['listTrunkLimits', '/api/limits/trunk?limit=1'],
    ['readTrunkLimit', '/api/limits/trunk/x?deep=1'],
    ['readLoad', '/api/statistics/load?bucketSeconds=1'],
    ['readLoad', '/api/statistics/load?by=codec'],
    ['readLoad', '/api/statistics/load?values=a'],
    ['listSuspects', '/api/suspects?limit=0'],
    ['listCalls', '/api/calls?site=nowhere'],
    ['exportCallsCsv', '/api/calls.csv?limit=1'],
    ['exportCallsNdjson', '/api/calls.ndjson?state=lost'],
    ['followCalls', '/api/calls/stream?since=1'],
    ['readCall', '/api/calls/x?deep=1'],
    ['readCallTimeline', '/api/calls/x/timeline?deep=1'],
    ['readCallSurroundings', '/api/calls/x/surroundings?by=trunk'],
  ])('%s rejects unknown parameters', async (operation, url) => {
    const answer = await operator.call(operation, url);
    expect([answer.status, at(json(answer), 'code')]).toEqual([400, 'bad-parameter']);
  });
});
