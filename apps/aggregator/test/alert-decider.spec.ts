import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { AlertRule as ShownRule, Alert } from '@ringdown/answers/alerts';
import { Database } from '../src/store/database/database.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, qualityXml, startXml } from './feed-examples.js';

const FAST = {
  ALERT_SECONDS: '1',
  IDENTITY_SEED: 'seed of these very tests',
  PUBLIC_ORIGIN: 'https://uc.example.test',
};

/** A call that began this many seconds ago and has lost half of its packets, or none. */
interface CallExample {
  readonly callId: string;
  readonly bad: boolean;
  readonly frontEnd?: string;
  readonly secondsAgo?: number;
}

describe('alerts', () => {
  let around: Surroundings;
  let aggregators: readonly RunningAggregator[];
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregators = [await around.startAggregator(FAST), await around.startAggregator(FAST)];
    const [first] = aggregators;
    if (first === undefined) throw new Error('no aggregator');
    aggregator = first;
    // A new PostgreSQL has no tables before.
    await eventually('readiness', async () => (await first.health.report()).ready);
  });
  afterAll(() => around.stop());

  const calls = async (...examples: readonly CallExample[]): Promise<void> => {
    for (const { callId, bad, frontEnd = 'fe1.example.test', secondsAgo = 60 } of examples) {
      const at = (seconds: number): string => new Date(Date.now() + (seconds - secondsAgo) * 1_000).toISOString();
      const record = { callId, frontEnd };
      await around.publish(
        published(startXml({ ...record, at: at(0) })),
        published(endXml({ ...record, at: at(30) })),
        published(qualityXml({ ...record, at: at(31) }, bad ? 0.5 : 0)),
      );
    }
    for (const { callId } of examples) await around.call(aggregator, callId, ({ version }) => version === 3);
  };
  const create = async (rule: object): Promise<ShownRule> => {
    const body = { name: 'Bad calls', measure: 'badCalls', limit: 0.4, minimumCalls: 2, ...rule };
    const answer = await aggregator.send<ShownRule>('POST', '/api/alert-rules', around.operator, { body });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const put = async (before: ShownRule, change: object): Promise<ShownRule> => {
    const { id, etag, source: _, createdAt: __, changedAt: ___, ...content } = before;
    const headers = { 'if-match': etag };
    const body = { ...content, ...change };
    const path = `/api/alert-rules/${id}`;
    const answer = await aggregator.send<ShownRule>('PUT', path, around.operator, { body, headers });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  /** Changes the database behind the aggregators; returns how many rows. */
  const changed = async (statement: string, values: unknown[] = []): Promise<number> => {
    const database = new Database({ url: around.database.url, poolSize: 1, logger: quietLogger() });
    const { rowCount } = await database.write((transaction) => transaction.query(statement, values));
    await database.close();
    return rowCount ?? 0;
  };
  const list = (query: string): Promise<readonly Alert[]> =>
    aggregator.all<Alert>(`/api/alerts?${query}`, around.plainOperator);
  const alertsOf = (rule: ShownRule, more = 'limit=1'): Promise<readonly Alert[]> => list(`rule=${rule.id}&${more}`);
  const firing = (rule: ShownRule): Promise<readonly Alert[]> =>
    eventually('an alert that fires', async () => {
      const alerts = await alertsOf(rule, 'open=true');
      return alerts.length > 0 && alerts;
    });
  const resolved = (rule: ShownRule): Promise<readonly Alert[]> =>
    eventually('a resolved alert', async () => {
      const alerts = await alertsOf(rule);
      return alerts.length > 0 && alerts.every(({ endsAt }) => endsAt !== null) && alerts;
    });
  /** Both replicas have evaluated all rules as they are now, twice. */
  const evaluated = async (): Promise<void> => {
    const count = async (): Promise<number> => {
      const lines = await Promise.all(
        aggregators.map((each) => each.metric(/alert_evaluations_total\{outcome="decided"\} (\d+)/)),
      );
      return lines.reduce((sum, line) => sum + Number(line), 0);
    };
    const { items } = (await aggregator.get<Page<ShownRule>>('/api/alert-rules', around.operator)).body;
    const [before, rules] = [await count(), items.length];
    await eventually('evaluations', async () => (await count()) >= before + 4 * rules);
  };

  it('fire once, whatever the number of replicas, and are resolved', async () => {
    const search = { frontEnd: 'one.example.test', 'not.user': 'sip:zaphod@example.test' };
    const rule = await create({ name: 'Bad calls without Zaphod', search, clearLimit: 0.3, windowSeconds: 600 });
    const frontEnd = 'one.example.test';
    await calls({ callId: 'a1', bad: true, frontEnd }, { callId: 'a2', bad: false, frontEnd });
    const [alert, ...others] = await firing(rule);
    await evaluated();
    expect([others, await alertsOf(rule)]).toEqual([[], [alert]]);
    expect(alert).toMatchObject({ ruleId: rule.id, scope: {}, value: 0.5, limit: 0.4, unit: 'ratio', calls: 2 });
    expect(alert?.summary).toBe('The share of bad calls is 50 % in 2 calls; the limit is above 40 %.');
    expect(alert?.condition).toEqual({ measure: 'badCalls', windowSeconds: 600, shortSeconds: 10 });
    expect(alert?.endsAt).toBeNull();
    expect(JSON.stringify(alert)).not.toMatch(/zaphod/i);
    const link = new URL(alert?.link ?? '');
    expect(`${link.origin}${link.pathname}`).toBe('https://uc.example.test/console/calls');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ frontEnd, verdict: 'bad', to: alert?.startsAt });
    const found = await aggregator.get<Page<unknown>>(`/api/calls?${link.searchParams.toString()}`, around.operator);
    expect(found.body.items).toMatchObject([{ callId: 'a1' }]);
    // 1 of 3 is inside the hysteresis.
    await calls({ callId: 'a3', bad: false, frontEnd });
    await evaluated();
    expect(await alertsOf(rule, 'open=true')).toHaveLength(1);
    await calls({ callId: 'a4', bad: false, frontEnd });
    const [after] = await resolved(rule);
    expect(after).toEqual({ ...alert, endsAt: after?.endsAt });
    expect(Date.parse(after?.endsAt ?? '')).toBeGreaterThan(Date.parse(alert?.startsAt ?? ''));
    const one = await aggregator.get<Alert>(`/api/alerts/${after?.id}`, around.plainOperator);
    expect(one.body).toEqual({ ...after, notices: [] });
  });

  it('are raised for each value, with too few calls for none', async () => {
    const rule = await create({ by: 'frontEnd', search: { frontEnd: ['two', 'three', 'four'] }, windowSeconds: 600 });
    await calls(
      ...['b1', 'b2'].map((callId) => ({ callId, bad: true, frontEnd: 'two' })),
      ...['c1', 'c2'].map((callId) => ({ callId, bad: false, frontEnd: 'three' })),
      { callId: 'd1', bad: true, frontEnd: 'four' },
    );
    const alerts = await firing(rule);
    await evaluated();
    expect(alerts.map(({ scope }) => scope)).toEqual([{ frontEnd: 'two' }]);
    expect(await alertsOf(rule)).toHaveLength(1);
  });

  it('wait for the duration and for the end of silences', async () => {
    const rule = await create({ forSeconds: 3_600, search: { frontEnd: 'two' }, windowSeconds: 600 });
    const from = new Date(Date.now() - 60_000).toISOString();
    const silences = [{ from, to: new Date(Date.now() + 3_600_000).toISOString() }];
    const silent = await create({ silences, search: { frontEnd: 'two' }, windowSeconds: 600 });
    await evaluated();
    expect([await alertsOf(rule), await alertsOf(silent)]).toEqual([[], []]);
    await put(rule, { forSeconds: 1 });
    await put(silent, { silences: [] });
    expect(await firing(rule)).toHaveLength(1);
    expect(await firing(silent)).toHaveLength(1);
  });

  it('are resolved when the rule is deleted, disabled or measures something else, but not when its name changes', async () => {
    const search = { frontEnd: 'two' };
    const rule = await create({ search, windowSeconds: 600 });
    await firing(rule);
    const named = await put(rule, { name: 'Other' });
    await evaluated();
    expect(await alertsOf(rule)).toHaveLength(1);
    expect(await alertsOf(rule, 'open=true')).toHaveLength(1);
    const disabled = await put(named, { enabled: false });
    expect(await resolved(rule)).toHaveLength(1);
    await evaluated();
    expect(await alertsOf(rule, 'open=true')).toEqual([]);
    const enabled = await put(disabled, { enabled: true });
    expect((await firing(rule)).map(({ ruleName }) => ruleName)).toEqual(['Other']);
    await put(enabled, { search: { frontEnd: 'three' } });
    expect(await resolved(rule)).toHaveLength(2);
    const deleted = await create({ search, windowSeconds: 600 });
    await firing(deleted);
    const path = `/api/alert-rules/${deleted.id}`;
    expect((await aggregator.send('DELETE', path, around.operator)).status).toBe(204);
    expect(await resolved(deleted)).toHaveLength(1);
  });

  it('are raised for a feed that has been silent, until it sends again', async () => {
    const rule = await create({
      measure: 'silentFeed',
      limit: 300,
      search: { frontEnd: 'Quiet.example.test' },
      minimumCalls: 1,
    });
    const record = { callId: 'quiet', frontEnd: 'quiet.example.test' };
    await around.publish(published(startXml(record), Date.now() - 600_000));
    const [alert] = await firing(rule);
    expect(alert).toMatchObject({ scope: { frontEnd: 'quiet.example.test' }, limit: 300, unit: 's', calls: 1 });
    expect(alert?.value).toBeGreaterThanOrEqual(600);
    expect(alert?.link).toBe('https://uc.example.test/console/feeds');
    await around.publish(published(endXml(record)));
    expect(await resolved(rule)).toHaveLength(1);
  });

  it('are raised for a silent feed of billions of records, among thousands, until nothing is known of it', async () => {
    const rule = await create({ measure: 'silentFeed', limit: 300, minimumCalls: 1 });
    await around.publish(published(startXml({ callId: 'busy', frontEnd: 'busy.example.test' })));
    const isOfFeed = `name_key = 'busy.example.test'`;
    await eventually(
      'the feed',
      async () => (await changed(`update front_ends set records = 3e9 where ${isOfFeed}`)) > 0,
    );
    await changed(
      `insert into front_ends select (f).* from generate_series(1, 10000) as n,
         lateral (select jsonb_populate_record(front_ends, jsonb_build_object('name', 'fe' || n, 'name_key', 'fe' || n)) as f
                  from front_ends where ${isOfFeed} limit 1) as copy`,
    );
    await changed(`update front_ends set last_seen = now() - interval '10 minutes' where ${isOfFeed}`);
    expect(await firing(rule)).toMatchObject([{ scope: { frontEnd: 'busy.example.test' }, calls: 3e9 }]);
    await changed(`delete from front_ends where ${isOfFeed} or name_key ~ '^fe[0-9]+$'`);
    expect(await resolved(rule)).toMatchObject([{ scope: { frontEnd: 'busy.example.test' } }]);
  });

  it('are raised for a feed that has been silent for a week', async () => {
    const search = { frontEnd: 'weekly.example.test' };
    const rule = await create({ measure: 'silentFeed', limit: 604_800, search, minimumCalls: 1 });
    await around.publish(
      published(startXml({ callId: 'weekly', frontEnd: 'weekly.example.test' }), Date.now() - 604_860_000),
    );
    expect(await firing(rule)).toHaveLength(1);
  });

  it('of other rules do not wait for one that cannot be evaluated', async () => {
    const { id, etag: _, createdAt: __, changedAt: ___, ...content } = await create({ enabled: false });
    const broken = { ...content, enabled: true, search: { colour: 'red' }, revealed: true };
    await changed('update alert_rules set rule = $2, created_at = $3 where id = $1', [
      id,
      JSON.stringify(broken),
      new Date(0),
    ]);
    await eventually('a failed evaluation', async () =>
      Number(await aggregator.metric(/alert_evaluations_total\{outcome="failed"\} (\d+)/)),
    );
    await firing(await create({ search: { frontEnd: 'two' }, windowSeconds: 600 }));
    expect((await aggregator.send('DELETE', `/api/alert-rules/${id}`, around.operator)).status).toBe(204);
  });

  it('are listed page by page, the newest first', async () => {
    const all = await list('limit=200');
    expect(all.length).toBeGreaterThan(5);
    expect(await list('limit=2')).toEqual(all);
    const times = all.map(({ startsAt }) => startsAt);
    expect(times).toEqual(times.toSorted((one, other) => (one < other ? 1 : -1)));
    const [open, over] = [await list('limit=200&open=true'), await list('limit=200&open=false')];
    expect(new Set([...open, ...over].map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
    expect(over.every(({ endsAt }) => endsAt !== null)).toBe(true);
    const { next } = (await aggregator.get<Page<Alert>>('/api/alerts?limit=1', around.operator)).body;
    const wrong = `/api/alerts?limit=1&open=true&cursor=${next}`;
    expect((await aggregator.get<Problem>(wrong, around.operator)).body).toMatchObject({
      status: 400,
      code: 'bad-cursor',
    });
    for (const query of ['open=perhaps', 'rule=', 'rule=%00', 'limit=0', 'colour=red'])
      expect((await aggregator.get(`/api/alerts?${query}`, around.operator)).status).toBe(400);
    for (const id of ['x', '%00'])
      expect((await aggregator.get<Problem>(`/api/alerts/${id}`, around.operator)).body).toMatchObject({
        status: 404,
        code: 'no-such-alert',
      });
    expect((await aggregator.get('/api/alerts', around.user)).status).toBe(403);
  });
});
