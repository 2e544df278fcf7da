import { IdentityHiding } from '@ringdown/identity-hiding';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MOST_RULES } from '../src/settings/alert-settings.js';
import type { AlertRule as ShownRule } from '@ringdown/answers/alerts';
import { Surroundings, type Answer, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, errorXml, published, qualityXml, reportXml, startXml } from './feed-examples.js';

const SEED = 'seed of these very tests';
const hiding = new IdentityHiding(SEED);
const CONTENT = { name: 'Bad calls', measure: 'badCalls', limit: 0.2 };

interface Preview {
  readonly stepSeconds: number;
  readonly items: readonly {
    readonly scope: Readonly<Record<string, string>>;
    readonly value: number;
    readonly calls: number;
    readonly startsAt: string;
    readonly endsAt: string | null;
  }[];
  readonly more: number;
}

describe('alert rules', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-sites-'));
    writeFileSync(join(folder, 'sites.json'), JSON.stringify({ Oslo: ['10.1.0.0/16'], Bergen: ['10.2.0.0/16'] }));
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ IDENTITY_SEED: SEED, SITES_FILE: join(folder, 'sites.json') });
    await publishCalls(around);
    await around.call(aggregator, 'good3', ({ version }) => version === 3);
    await around.call(aggregator, 'failed2');
    await around.call(aggregator, 'last', ({ version }) => version === 4);
  });
  afterAll(async () => {
    await around.stop();
    rmSync(folder, { recursive: true });
  });

  const post = <T = ShownRule>(body: unknown, token = around.operator): Promise<Answer<T>> =>
    aggregator.send<T>('POST', '/api/alert-rules', token, { body });
  const stored = async (content: object): Promise<ShownRule> => {
    const { status, body } = await post({ ...CONTENT, ...content });
    expect(status).toBe(201);
    return body;
  };
  const read = (id: string, token = around.operator): Promise<Answer<ShownRule & Problem>> =>
    aggregator.get(`/api/alert-rules/${id}`, token);
  const put = (id: string, body: unknown, ifMatch?: string): Promise<Answer<ShownRule & Problem>> => {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    return aggregator.send('PUT', `/api/alert-rules/${id}`, around.operator, { body, headers });
  };
  const preview = (rule: object, times: string, token = around.operator): Promise<Answer<Preview & Problem>> =>
    aggregator.send('POST', `/api/alert-rules/preview?${times}`, token, { body: { ...CONTENT, ...rule } });
  const HOUR = 'from=2026-03-02T10:00:00Z&to=2026-03-02T11:00:00Z';

  it('are created, read, changed and deleted', async () => {
    const { status, headers, body } = await post({ ...CONTENT, name: ' Bad calls ', search: { trunk: ['a', 'b'] } });
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([201, `/api/alert-rules/${body.id}`, '"1"']);
    expect(body).toMatchObject({ ...CONTENT, search: { trunk: ['a', 'b'] }, clearLimit: 0.2, by: null, etag: '1' });
    expect(body).toMatchObject({ enabled: true, windowSeconds: 900, minimumCalls: 10, severity: 'warning' });
    expect(JSON.stringify(body)).not.toContain('revealed');
    expect((await read(body.id)).body).toEqual(body);
    const silences = [
      { days: ['sunday', 'monday'], from: '22:00', to: '06:00' },
      { from: '2026-12-24T12:00:00Z', to: '2026-12-27T00:00:00+01:00' },
    ];
    const content = { name: 'MOS', measure: 'mos', limit: 3.1, clearLimit: 3.5, by: 'site', silences, enabled: false };
    const changed = await put(body.id, content, '"1"');
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ ...content, id: body.id, search: {} });
    const { items } = (await aggregator.get<{ items: readonly ShownRule[] }>('/api/alert-rules', around.operator)).body;
    expect(items).toContainEqual(changed.body);
    expect((await aggregator.send('DELETE', `/api/alert-rules/${body.id}`, around.operator)).status).toBe(204);
    expect((await read(body.id)).body).toMatchObject({ status: 404, code: 'no-such-rule' });
  });

  it('are changed only by a client that knows their present state', async () => {
    const { id } = await stored({});
    expect((await put(id, CONTENT)).body).toMatchObject({ status: 428, code: 'precondition-required' });
    expect((await put(id, CONTENT, '"7"')).body).toMatchObject({ status: 412, code: 'precondition-failed' });
    const both = await Promise.all([1, 2].map(() => put(id, CONTENT, '"1"')));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412]);
    const headers = { 'if-match': '"1"' };
    const deleted = await aggregator.send('DELETE', `/api/alert-rules/${id}`, around.operator, { headers });
    expect(deleted.status).toBe(412);
  });

  it('can be sent back as they were read', async () => {
    const { etag, ...rule } = await stored({ name: 'Short calls', measure: 'shortCalls', search: { trunk: 'a' } });
    const changed = await put(rule.id, { ...rule, etag, limit: 0.4 }, `"${etag}"`);
    const { changedAt: _before, ...same } = rule;
    expect([changed.status, changed.body]).toMatchObject([200, { ...same, limit: 0.4, etag: '2' }]);
    expect((await put(rule.id, { ...rule, revealed: true }, '"2"')).status).toBe(400);
  });

  it('of silent feeds need one record of a feed, others ten calls, unless they say otherwise', async () => {
    const silent = { measure: 'silentFeed', limit: 300 };
    expect((await stored(silent)).minimumCalls).toBe(1);
    expect((await stored({ ...silent, minimumCalls: 10 })).minimumCalls).toBe(10);
    expect((await stored({ measure: 'shortCalls' })).minimumCalls).toBe(10);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ measure: 'loudness' }, 'measure'],
    [{ measure: '__proto__' }, 'measure'],
    [{ measure: ['mos'] }, 'measure'],
    [{ measure: undefined }, 'measure'],
    [{ limit: undefined }, 'limit'],
    [{ limit: '0.2' }, 'limit'],
    [{ limit: 1.1 }, 'limit'],
    [{ measure: 'mos', limit: 0.5 }, 'limit'],
    [{ measure: 'silentFeed', limit: 60 }, 'limit'],
    [{ clearLimit: 0.3 }, 'clearLimit'],
    [{ clearLimit: -1 }, 'clearLimit'],
    [{ measure: 'mos', limit: 3, clearLimit: 2.9 }, 'clearLimit'],
    [{ by: 'codec' }, 'by'],
    [{ by: 'user' }, 'by'],
    [{ measure: 'silentFeed', limit: 600, by: 'site' }, 'by'],
    [{ measure: 'silentFeed', limit: 600, search: { codec: 'PCMU' } }, 'search.codec'],
    [{ measure: 'rejectedRecords', limit: 1, search: { frontEnd: 'a', colour: 'red' } }, 'search.colour'],
    [{ windowSeconds: 90 }, 'windowSeconds'],
    [{ windowSeconds: 0 }, 'windowSeconds'],
    [{ windowSeconds: 172_800 }, 'windowSeconds'],
    [{ minimumCalls: 0 }, 'minimumCalls'],
    [{ minimumCalls: 2.5 }, 'minimumCalls'],
    [{ forSeconds: -1 }, 'forSeconds'],
    [{ shortSeconds: '5' }, 'shortSeconds'],
    [{ severity: 'panic' }, 'severity'],
    [{ search: [] }, 'search'],
    [{ search: { from: '2026-03-02T10:00:00Z' } }, 'search.from'],
    [{ search: { last: '24h' } }, 'search.last'],
    [{ search: { constructor: 'x' } }, 'search'],
    [{ search: { colour: 'red' } }, 'search.colour'],
    [{ search: { codec: 'a', 'not.codec': 'a' } }, 'search.not.codec'],
    [{ search: { q: 'q'.repeat(10_000) } }, 'search'],
    [{ silences: {} }, 'silences'],
    [{ silences: [{ from: '22:00', to: '06:00' }] }, 'silences'],
    [{ silences: [{ days: ['someday'], from: '22:00', to: '06:00' }] }, 'silences'],
    [{ silences: [{ days: [], from: '22:00', to: '06:00' }] }, 'silences'],
    [{ silences: [{ days: ['monday'], from: '24:00', to: '06:00' }] }, 'silences'],
    [{ silences: [{ from: '2026-12-24T12:00:00Z', to: '2026-12-23T12:00:00Z' }] }, 'silences'],
    [{ silences: [{ from: '2026-12-24T12:00:00', to: '2026-12-25T12:00:00' }] }, 'silences'],
    [{ silences: Array.from({ length: 21 }, () => ({ days: ['monday'], from: '00:00', to: '01:00' })) }, 'silences'],
    [{ id: 'x' }, 'id'],
    [{ revealed: true }, 'revealed'],
  ])('are rejected with the name of what is wrong (%#)', async (change, name) => {
    const { status, body } = await post<Problem>({ ...CONTENT, ...change });
    expect([status, body.code, body.parameters?.map((each) => each.name)]).toEqual([400, 'bad-parameter', [name]]);
    expect((await preview(change, '')).body.parameters?.map((each) => each.name)).toEqual([name]);
  });

  it.each(['x', '%00', '00000000-0000-4000-8000-000000000000', "' or 1=1"])('do not exist as %s', async (id) => {
    expect((await read(encodeURIComponent(decodeURIComponent(id)))).body).toMatchObject({
      status: 404,
      code: 'no-such-rule',
    });
  });

  it('need the role of an operator', async () => {
    for (const path of ['/api/alert-rules', '/api/alert-rules/x'])
      expect((await aggregator.get<Problem>(path, around.user)).status).toBe(403);
    expect((await post(CONTENT, around.user)).status).toBe(403);
    expect((await preview({}, HOUR, around.user)).status).toBe(403);
  });

  it('show users as tokens where users are hidden', async () => {
    const search = { user: 'sip:anna@example.test', q: 'anna' };
    const rule = await stored({ name: 'Calls of Anna', search });
    for (const answer of [await read(rule.id, around.plainOperator), await read(`${rule.id}?identities=hidden`)]) {
      expect(JSON.stringify(answer.body)).not.toMatch(/anna/i);
      expect(answer.body.search).toMatchObject({ user: hiding.address('sip:anna@example.test') });
    }
    expect((await read(`${rule.id}?identities=shown`, around.plainOperator)).status).toBe(403);
  });

  it('keep what an operator does not see when it is sent back as it was shown', async () => {
    const search = { user: 'sip:anna@example.test', q: 'anna' };
    const rule = await stored({ name: 'Calls of Anna', search });
    const replaced = async (change: object): Promise<Answer<ShownRule & Problem>> => {
      const { body, headers } = await read(rule.id, around.plainOperator);
      const ifMatch = headers.get('etag') ?? '';
      return aggregator.send('PUT', `/api/alert-rules/${rule.id}`, around.plainOperator, {
        body: { ...body, ...change },
        headers: { 'if-match': ifMatch },
      });
    };
    const { status, body } = await replaced({ enabled: false });
    expect([status, body.enabled]).toEqual([200, false]);
    expect(JSON.stringify(body)).not.toMatch(/anna/i);
    expect((await read(rule.id)).body).toMatchObject({ name: 'Calls of Anna', search, enabled: false });
    // What is not as it was shown is a search of this operator.
    expect((await replaced({ search })).body).toMatchObject({ status: 403, code: 'may-search-tokens-only' });
    const token = { user: hiding.token('anna') };
    await replaced({ search: {} });
    expect(JSON.stringify((await read(rule.id, around.plainOperator)).body)).not.toMatch(/anna/i);
    expect((await replaced({ name: 'Mine', search: token })).status).toBe(200);
    expect((await read(rule.id)).body).toMatchObject({ name: 'Mine', search: token });
  });

  it('never turn a text of an operator who does not see users into a token', async () => {
    const search = { q: 'anna' };
    const { body: rule } = await post({ ...CONTENT, name: 'anna', search }, around.plainOperator);
    const headers = { 'if-match': rule.etag };
    const answers = [
      rule,
      (await read(rule.id, around.plainOperator)).body,
      (await read(`${rule.id}?identities=hidden`)).body,
      (
        await aggregator.send('PUT', `/api/alert-rules/${rule.id}`, around.plainOperator, {
          body: { ...rule, enabled: false },
          headers,
        })
      ).body,
    ];
    // Also not when an operator who sees users has only switched the rule on.
    const { body: off, headers: offHead } = await read(rule.id);
    const switched = await aggregator.send('PUT', `/api/alert-rules/${rule.id}`, around.operator, {
      body: { ...off, enabled: true },
      headers: { 'if-match': offHead.get('etag') ?? '' },
    });
    expect(switched.status).toBe(200);
    answers.push((await read(rule.id, around.plainOperator)).body);
    for (const answer of answers) expect(answer).toMatchObject({ name: 'anna', search });
    // Nor when that operator changes the search around the text.
    const replacedBy = (changed: object): Promise<Answer<Problem>> =>
      aggregator.send('PUT', `/api/alert-rules/${rule.id}`, around.operator, {
        body: { ...off, search: changed },
        headers: { 'if-match': switched.headers.get('etag') ?? '' },
      });
    const refused = await replacedBy({ q: 'anna', codec: 'PCMU' });
    expect([refused.status, refused.body.parameters]).toEqual([
      400,
      [{ name: 'search', reason: expect.stringContaining('"anna" of an operator without the role reveal') }],
    ]);
    expect((await replacedBy({ q: 'berta', codec: 'PCMU' })).status).toBe(200);
    const ofOthers = await stored({ name: 'x', search: { user: 'sip:ben@example.test' } });
    const { body: shown, headers: shownHead } = await read(ofOthers.id, around.plainOperator);
    const renamed = await aggregator.send('PUT', `/api/alert-rules/${ofOthers.id}`, around.plainOperator, {
      body: { ...shown, name: 'anna' },
      headers: { 'if-match': shownHead.get('etag') ?? '' },
    });
    expect(renamed.status).toBe(200);
    expect(JSON.stringify([answers, renamed.body])).not.toContain(hiding.token('anna'));
  });

  it('are tested five times a minute by one operator', async () => {
    const { id } = await stored({});
    const test = (): Promise<Answer<Problem>> =>
      aggregator.send('POST', `/api/alert-rules/${id}/test`, around.operator);
    for (let n = 0; n < 5; n++) expect((await test()).status).toBe(200);
    const refused = await test();
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('of an operator who does not see users have no names', async () => {
    const refused = await post<Problem>({ ...CONTENT, search: { user: 'anna@example.test' } }, around.plainOperator);
    expect([refused.status, refused.body.code]).toEqual([403, 'may-search-tokens-only']);
    const trial = await preview({ search: { user: 'anna@example.test' } }, HOUR, around.plainOperator);
    expect(trial.body).toMatchObject({ status: 403, code: 'may-search-tokens-only' });
    expect((await put((await stored({})).id, { ...CONTENT, search: { user: 'anna' } }, '"1"')).status).toBe(200);
  });

  describe('applied to the past', () => {
    const alerts = async (rule: object, times = HOUR): Promise<readonly string[]> => {
      const { status, body } = await preview({ minimumCalls: 1, ...rule }, times);
      expect(status).toBe(200);
      return body.items.map(({ scope, value, calls, startsAt, endsAt }) =>
        [JSON.stringify(scope), value.toFixed(2), calls, startsAt.slice(11, 16), endsAt?.slice(11, 16)].join(' '),
      );
    };

    it('find the share of bad calls, in all and by site', async () => {
      expect(await alerts({ limit: 0.3 })).toEqual(['{} 0.40 5 10:05 10:20']);
      expect(await alerts({ limit: 0.3, minimumCalls: 6 })).toEqual([]);
      expect(await alerts({ limit: 0.6, by: 'site' })).toEqual(['{"site":"Bergen"} 1.00 2 10:05 10:20']);
      // The other end of every call is in Oslo.
      expect(await alerts({ limit: 0.5, search: { site: 'Oslo' } })).toEqual([]);
      expect(await alerts({ limit: 0.5, search: { site: 'Bergen' } })).toEqual(['{} 1.00 2 10:05 10:20']);
    });

    it('find a low MOS', async () => {
      expect(await alerts({ measure: 'mos', limit: 3.1 })).toEqual(['{} 2.00 1 10:35 10:45']);
    });

    it('find failed calls, without and with an address', async () => {
      expect(await alerts({ measure: 'serverErrors', limit: 0.5, by: 'frontEnd' })).toEqual([
        '{"frontEnd":"fe9.example.test"} 1.00 2 10:25 10:40',
      ]);
      expect(await alerts({ measure: 'answerSeizure', limit: 0.8 })).toEqual(['{} 0.00 2 10:25 10:40']);
    });

    it('find short calls', async () => {
      expect(await alerts({ measure: 'shortCalls', limit: 0.1, shortSeconds: 5 })).toEqual(['{} 0.20 5 10:05 10:20']);
      expect(await alerts({ measure: 'shortCalls', limit: 0.1, shortSeconds: 1 })).toEqual([]);
    });

    it('find silent feeds by the times at which their records arrived', async () => {
      const to = new Date(Date.now() + 3_600_000).toISOString();
      const { body } = await preview({ measure: 'silentFeed', limit: 900, minimumCalls: 1 }, `to=${to}`);
      const feeds = new Set(body.items.map(({ scope }) => scope['frontEnd']));
      expect(feeds).toEqual(new Set(['fe1.example.test', 'fe9.example.test']));
      const search = { 'not.frontEnd': 'FE1.example.test' };
      const others = await preview({ measure: 'silentFeed', limit: 900, minimumCalls: 1, search }, `to=${to}`);
      expect(others.body.items.map(({ scope }) => scope)).toEqual([{ frontEnd: 'fe9.example.test' }]);
    });

    it('use the last week without times, and at most a week', async () => {
      const { from, to } = (await preview({}, '')).body as unknown as Record<'from' | 'to', string>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- of the answer above
      expect(Date.parse(to) - Date.parse(from)).toBe(604_800_000);
      for (const times of [
        'from=2026-03-01T00:00:00Z&to=2026-03-09T00:00:00Z',
        'from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z',
        `from=${new Date(Date.now() + 3_600_000).toISOString()}`,
        'to=1970-01-02T00:00:00Z',
        'from=yesterday',
      ]) {
        const { body } = await preview({}, times);
        expect([body.status, body.code]).toEqual([400, 'bad-parameter']);
      }
    });
  });

  it('are at most 100, however many are created at once', async () => {
    const { items } = (await aggregator.get<{ items: readonly unknown[] }>('/api/alert-rules', around.operator)).body;
    const wanted = MOST_RULES - items.length + 5;
    const answers = await Promise.all(Array.from({ length: wanted }, () => post<Problem>(CONTENT)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toMatchObject({ status: 409, code: 'too-many-rules' });
  });
});

/** From 10:00: two bad and three good calls, of which one lasts 3 s; from 10:20: two failed ones; at 10:30, one of MOS 2; at 10:40, a good one. */
async function publishCalls(around: Surroundings): Promise<void> {
  const at = (time: string): string => `2026-03-02T${time}Z`;
  const calls = ['bad1', 'bad2', 'good1', 'good2', 'good3'].map((callId, index) => {
    const isBad = callId.startsWith('bad');
    const addresses: [string, string] = [isBad ? '10.2.0.1' : '10.1.0.1', '10.1.0.2'];
    const end = callId === 'good3' ? at('10:01:03') : at('10:03:00');
    return [
      published(startXml({ callId, at: at('10:01:00'), addresses })),
      published(endXml({ callId, at: end })),
      published(qualityXml({ callId, at: at(`10:03:0${index}`) }, isBad ? 0.5 : 0)),
    ];
  });
  const failed = ['failed1', 'failed2'].map((callId) =>
    published(errorXml({ callId, at: at('10:21:00'), frontEnd: 'fe9.example.test' }).replace('"403"', '"503"')),
  );
  const low = [
    published(startXml({ callId: 'low', at: at('10:31:00') })),
    published(reportXml({ callId: 'low', at: at('10:32:00') }, 'audio', '<RecvListenMOS>2</RecvListenMOS>')),
  ];
  const last = { callId: 'last', frontEnd: 'fe9.example.test', at: at('10:41:00') };
  const good = [
    published(startXml({ ...last, addresses: ['10.2.0.1', '10.1.0.2'] })),
    published(endXml({ ...last, at: at('10:42:00') })),
    published(qualityXml({ ...last, at: at('10:42:01') }, 0)),
    published(reportXml({ ...last, at: at('10:42:02') }, 'audio', '<RecvListenMOS>4.3</RecvListenMOS>')),
  ];
  await around.publish(...calls.flat(), ...failed, ...low, ...good);
}
