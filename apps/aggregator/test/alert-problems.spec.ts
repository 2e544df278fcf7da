import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import { SipFailurePublisher, RejectedRecords } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { randomUUID } from 'node:crypto';
import type { AlertRule as ShownRule, Alert } from '@ringdown/answers/alerts';
import type { SipFailures, SipFailureList } from '@ringdown/answers/statistics';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

/** The shortest window; what is reported so long ago leaves it soon. */
const WINDOW = { windowSeconds: 60 };
const NEARLY_OVER_MS = 45_000;

describe('alerts about problems of feeds', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  const log = loggedLines();

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ ALERT_SECONDS: '1' }, log.logger);
    await around.startAggregator({ ALERT_SECONDS: '1' });
    await eventually('readiness', async () => (await aggregator.health.report()).ready);
    // Otherwise nothing is known to be over.
    await around.publish(published(startXml({ callId: 'c1' })));
    await around.call(aggregator, 'c1');
  });
  afterAll(() => around.stop());

  const create = async (rule: object): Promise<ShownRule> => {
    const body = { name: 'Problems', ...WINDOW, ...rule };
    const answer = await aggregator.send<ShownRule>('POST', '/api/alert-rules', around.operator, { body });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining(rule)]);
    return answer.body;
  };
  const alertsOf = (rule: ShownRule): Promise<readonly Alert[]> =>
    aggregator.all<Alert>(`/api/alerts?limit=100&rule=${rule.id}`, around.operator);
  const fired = (rule: ShownRule, count: number): Promise<readonly Alert[]> =>
    eventually(`${count} alerts`, async () => {
      const alerts = await alertsOf(rule);
      return alerts.length === count && alerts;
    });
  const resolved = (rule: ShownRule): Promise<unknown> =>
    eventually('the end', async () => (await alertsOf(rule)).every(({ endsAt }) => endsAt !== null));

  const parametersOf = (alert: Alert | undefined): Record<string, string> => {
    const { pathname, searchParams } = new URL(alert?.link ?? '');
    expect(pathname).toBe('/console/feeds');
    return Object.fromEntries(searchParams);
  };
  /** The names of the parameters, and how many milliseconds they are about. */
  const windowOf = (alert: Alert | undefined): readonly [readonly string[], number] => {
    const parameters = parametersOf(alert);
    const { from = '', to = '' } = parameters;
    return [Object.keys(parameters), Date.parse(to) - Date.parse(from)];
  };
  const behind = async (alert: Alert | undefined): Promise<readonly string[]> => {
    const query = new URLSearchParams(parametersOf(alert)).toString();
    const path = `/api/rejected-records?${query}`;
    return (await aggregator.get<Page<{ code: string }>>(path, around.operator)).body.items.map(({ code }) => code);
  };

  async function registrations(frontEnd: string, count: number, status = '403'): Promise<void> {
    const failures = [
      { method: 'REGISTER', status, peer: '192.0.2.10', count },
      { method: 'OPTIONS', status: 'none', peer: '192.0.2.20', count: 1_000 },
    ];
    const receivedAt = Date.now() - NEARLY_OVER_MS;
    const report = { v: 1, id: randomUUID(), frontEnd, failures, receivedAt } as const;
    const publisher = new SipFailurePublisher({ bus: around.bus });
    // A report is repeated with its id until the aggregator has created the stream.
    const isStored = (): Promise<boolean> =>
      publisher.publish(report).then(
        () => true,
        () => false,
      );
    await eventually('the storage of a report', isStored);
  }

  async function storeRejected(rejected: Pick<RejectedRecord, 'code' | 'body' | 'certificateSubject'>): Promise<void> {
    const rest = { remoteAddress: '192.0.2.99', path: '/Ringdown/RequestMessage', reason: 'It is cut off.' };
    const receivedAt = Date.now() - NEARLY_OVER_MS;
    await new RejectedRecords(around.bus).store({ ...rest, receivedAt, ...rejected });
  }

  const rejected = (frontEnd: string, code: string): Promise<void> =>
    storeRejected({ code, body: `<Diagnostics><ConnectionInfo><FrontEnd>${frontEnd}</FrontEnd>` });

  it('are counted without a warning at the first start, when the database has no tables yet', () => {
    expect(log.lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('are raised for failing registrations, in all and by feed, and resolved when they end', async () => {
    const all = await create({ measure: 'failingRegistrations', limit: 9 });
    const byFeed = await create({ measure: 'failingRegistrations', limit: 5, by: 'frontEnd' });
    const other = await create({ measure: 'failingRegistrations', limit: 0, search: { frontEnd: 'other' } });
    await registrations('Edge-1', 4);
    await registrations('edge-1', 3);
    await registrations('edge-2', 5);
    const [total] = await fired(all, 1);
    const [first] = await fired(byFeed, 1);
    expect(total).toMatchObject({ scope: {}, value: 12, unit: 'count', limit: 9, calls: 12 });
    expect(total?.summary).toBe('The number of failed registrations is 12 in 1 minute; the limit is above 9.');
    expect(windowOf(total)).toEqual([['from', 'to'], 60_000]);
    expect(parametersOf(first)).toMatchObject({ frontEnd: 'edge-1' });
    expect(first).toMatchObject({ scope: { frontEnd: 'edge-1' }, value: 7 });
    await resolved(all);
    await resolved(byFeed);
    expect(await alertsOf(other)).toEqual([]);
  });

  it('are raised for rejected records by reason and by feed, and resolved when they end', async () => {
    const byReason = await create({ measure: 'rejectedRecords', limit: 1, by: 'reason' });
    const byFeed = await create({ measure: 'rejectedRecords', limit: 2, by: 'frontEnd' });
    for (const frontEnd of ['fe1', 'FE1']) await rejected(frontEnd, 'not-xml');
    await rejected('fe1', 'too-deep');
    const [reason] = await fired(byReason, 1);
    const [feed] = await fired(byFeed, 1);
    expect(reason).toMatchObject({ scope: { reason: 'not-xml' }, value: 2 });
    expect(feed).toMatchObject({ scope: { frontEnd: 'fe1' }, value: 3 });
    // The link has the parameters of the list of what was rejected.
    expect([await behind(reason), await behind(feed)]).toEqual([
      ['not-xml', 'not-xml'],
      ['too-deep', 'not-xml', 'not-xml'],
    ]);
    expect(windowOf(feed)).toEqual([['frontEnd', 'from', 'to'], 60_000]);
    await resolved(byReason);
    await resolved(byFeed);
  });

  it.each([
    ['from=2026-03-02T10:00:00Z&to=2026-03-02T10:00:00Z', 400, 'bad-parameter'],
    ['from=yesterday', 400, 'bad-parameter'],
    ['codes=not-xml', 400, 'bad-parameter'],
    ['frontEnd=of+Zaphod', 403, 'may-search-tokens-only'],
  ])('cannot be looked up with %s', async (query, status, code) => {
    const { body } = await aggregator.get<Problem>(`/api/rejected-records?${query}`, around.plainOperator);
    expect(body).toMatchObject({ status, code });
  });

  it('are previewed', async () => {
    await registrations('edge-9', 3, '503');
    const rule = { name: 'x', measure: 'failingRegistrations', limit: 2, search: { frontEnd: 'edge-9' }, ...WINDOW };
    const fires = await eventually('a past alert', async () => {
      const { body } = await aggregator.send<{ items: readonly { value: number }[] }>(
        ...(['POST', '/api/alert-rules/preview', around.operator, { body: rule }] as const),
      );
      return body.items.length > 0 && body.items;
    });
    expect(fires[0]?.value).toBe(3);
  });

  it('are raised for a front end that is chosen by what is shown of its name, with a link to its failures', async () => {
    await registrations('CN=edge-7.example.test,O=Of Anna', 7, '480');
    const listed = async (query: string): Promise<readonly SipFailures[]> =>
      (await aggregator.get<SipFailureList>(`/api/sip-failures?${query}`, around.plainOperator)).body.items;
    const [failures] = await eventually('the report', async () => {
      const items = await listed('status=480');
      return items.length > 0 && items;
    });
    const search = { frontEnd: failures?.frontEnd ?? '' };
    expect(search.frontEnd).toMatch(/^CN=edge-7\.example\.test,O=hidden-/);
    const rule = { measure: 'failingRegistrations', limit: 5, search, by: 'frontEnd' };
    const [alert] = await fired(await create(rule), 1);
    expect(alert?.value).toBe(7);
    const linked = new URLSearchParams({ ...parametersOf(alert), method: 'REGISTER' });
    expect(await listed(linked.toString())).toEqual([failures]);
  });

  it('are raised for rejected records without a front end by what is shown of the certificate', async () => {
    const rejection = { code: 'empty-body', body: '', certificateSubject: 'CN=edge-8.example.test,O=Of Anna' };
    for (let times = 0; times < 2; times++) await storeRejected(rejection);
    const path = '/api/rejected-records?code=empty-body';
    const { items } = (await aggregator.get<Page<RejectedRecord>>(path, around.plainOperator)).body;
    const frontEnd = items[0]?.certificateSubject ?? '';
    expect(frontEnd).toMatch(/^CN=edge-8\.example\.test,O=hidden-/);
    const rule = { measure: 'rejectedRecords', limit: 1, search: { frontEnd }, by: 'frontEnd' };
    const [alert] = await fired(await create(rule), 1);
    expect(alert?.value).toBe(2);
    expect(await behind(alert)).toEqual(['empty-body', 'empty-body']);
  });

  it.each([
    [{ measure: 'failingRegistrations', limit: -1 }, 'limit'],
    [{ measure: 'failingRegistrations', limit: 1, by: 'reason' }, 'by'],
    [{ measure: 'rejectedRecords', limit: 1, by: 'site' }, 'by'],
    [{ measure: 'rejectedRecords', limit: 1, search: { codec: 'PCMU' } }, 'search.codec'],
    [{ measure: 'badCalls', limit: 0.1, by: 'reason' }, 'by'],
    // Without SITES_FILE.
    [{ measure: 'badCalls', limit: 0.1, by: 'site' }, 'by'],
  ])('are not raised by a wrong rule (%#)', async (rule, parameter) => {
    const body = { name: 'x', ...rule };
    const answer = await aggregator.send<Problem>('POST', '/api/alert-rules', around.operator, { body });
    expect([answer.status, answer.body.parameters?.[0]?.name]).toEqual([400, parameter]);
  });
});
