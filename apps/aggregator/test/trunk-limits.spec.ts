import type { TrunkLimit, TrunkLimitList } from '@ringdown/answers/limits';
import type { LoadStatistics } from '@ringdown/answers/statistics';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Surroundings, type Answer, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

const SEED = 'seed of these very tests';
const ADMIN = 'admin-token';
const PLAIN_ADMIN = 'plain-admin-token';
/** A name that only those see who see users. */
const NAMED = "anna's line";
const HOUR = 'from=2026-03-02T10:00:00Z&to=2026-03-02T11:00:00Z';

describe('limits of trunks', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    around.allow(ADMIN, ['user', 'operator', 'reveal', 'admin']);
    around.allow(PLAIN_ADMIN, ['user', 'operator', 'admin']);
    aggregator = await around.startAggregator({ IDENTITY_SEED: SEED });
    for (const [callId, trunk] of [
      ['one', 'Nordtel-Oslo'],
      ['two', 'nordtel-oslo'],
      ['three', NAMED],
    ] as const) {
      const gateway = `<Trunk>${trunk}</Trunk>`;
      await around.publish(
        published(startXml({ callId, at: '2026-03-02T10:00:00Z', ends: ['', gateway] })),
        published(endXml({ callId, at: '2026-03-02T10:05:00Z' })),
      );
      await around.call(aggregator, callId, ({ version }) => version === 2);
    }
  });
  afterAll(() => around.stop());

  const path = (name: string): string => `/api/limits/trunk/${encodeURIComponent(name)}`;
  const put = (name: string, body: unknown, ifMatch?: string, token = ADMIN): Promise<Answer<TrunkLimit & Problem>> =>
    aggregator.send('PUT', path(name), token, {
      body,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  const remove = (name: string, ifMatch?: string, token = ADMIN): Promise<Answer<Problem | undefined>> =>
    aggregator.send('DELETE', path(name), token, { headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } });
  const read = (name: string, token = around.operator): Promise<Answer<TrunkLimit & Problem>> =>
    aggregator.get(path(name), token);
  const list = async (token = around.operator): Promise<readonly TrunkLimit[]> =>
    (await aggregator.get<TrunkLimitList>('/api/limits/trunk', token)).body.items;
  const load = async (token = around.operator, more = ''): Promise<LoadStatistics> =>
    (await aggregator.get<LoadStatistics>(`/api/statistics/load?by=trunk&${HOUR}${more}`, token)).body;

  it('are set, read, changed and deleted, by the name in any case', async () => {
    const created = await put('Nordtel-Oslo', { calls: 1 });
    expect([created.status, created.headers.get('etag')]).toEqual([201, `"${created.body.etag}"`]);
    expect(created.body).toMatchObject({ trunk: 'nordtel-oslo', calls: 1 });
    expect((await read('NORDTEL-oslo')).body).toEqual(created.body);
    const changed = await put('nordtel-oslo', { ...created.body, calls: 2 }, `"${created.body.etag}"`);
    expect([changed.status, changed.body.calls]).toEqual([200, 2]);
    expect(changed.body.etag).not.toBe(created.body.etag);
    expect(await list()).toEqual([changed.body]);
    expect((await remove('nordtel-oslo', changed.body.etag)).status).toBe(204);
    expect([(await read('nordtel-oslo')).status, await list()]).toEqual([404, []]);
    expect((await remove('nordtel-oslo')).body?.code).toBe('no-such-limit');
  });

  it('are not changed by who has not read them', async () => {
    const { body } = await put('east', { calls: 5 });
    expect((await put('east', { calls: 6 })).body.code).toBe('precondition-required');
    expect((await put('east', { calls: 6 }, '"1"')).body.code).toBe('precondition-failed');
    expect((await put('west', { calls: 6 }, body.etag)).body).toMatchObject({
      status: 412,
      code: 'precondition-failed',
      detail: 'This trunk has no limit that could be changed; leave out If-Match to set one.',
    });
    expect((await remove('east', '"1"')).body?.code).toBe('precondition-failed');
    expect((await read('east')).body.calls).toBe(5);
    await remove('east');
  });

  it('are set by admins only, and read by operators', async () => {
    for (const token of [around.operator, around.user]) {
      expect((await put('north', { calls: 1 }, undefined, token)).status).toBe(403);
      expect((await remove('north', undefined, token)).status).toBe(403);
    }
    expect((await read('north', around.user)).status).toBe(403);
    expect((await aggregator.get('/api/limits/trunk', around.user)).status).toBe(403);
    expect((await aggregator.get('/api/limits/trunk')).status).toBe(401);
  });

  it.each([
    [{}],
    [{ calls: 0 }],
    [{ calls: 100_001 }],
    [{ calls: 1.5 }],
    [{ calls: '5' }],
    [{ calls: 5, colour: 'red' }],
  ])('are not %j', async (body) => {
    expect((await put('north', body)).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  it.each([' ', 'x'.repeat(256), 'hidden-0123456789abcdef'])('are not of a trunk %j', async (name) => {
    const { status, body } = await put(name, { calls: 1 });
    expect([status, body.parameters?.[0]?.name]).toEqual([400, 'name']);
  });

  it('are compared with the load of their trunk, minute by minute', async () => {
    await put('nordtel-oslo', { calls: 1 });
    const { values, items } = await load();
    expect(values[0]).toMatchObject({
      value: 'nordtel-oslo',
      peak: { calls: 2, at: '2026-03-02T10:00:00.000Z' },
      p95: { calls: 2 },
      attemptsPeak: { perSecond: 2 / 60 },
      limit: 1,
      minutesAboveLimit: 5,
    });
    expect(values[1]).toMatchObject({ value: NAMED, peak: { calls: 1 }, limit: null, minutesAboveLimit: null });
    expect(items.map(({ value, calls }) => `${value} ${calls}`)).toEqual(['nordtel-oslo 2', `${NAMED} 1`]);
    await remove('nordtel-oslo');
  });

  it('are shown of a trunk without calls that is asked for', async () => {
    await put('west', { calls: 3 });
    const { values, valuesLeftOut } = await load(undefined, '&values=west&values=Nordtel-Oslo');
    expect(values).toMatchObject([
      { value: 'nordtel-oslo', peak: { calls: 2 }, limit: null },
      { value: 'west', peak: { calls: 0, at: null }, attempts: 0, limit: 3, minutesAboveLimit: 0 },
    ]);
    expect(valuesLeftOut).toBe(0);
    await remove('west');
  });

  it('hide names that operators without the role reveal do not see, and are found by what is shown', async () => {
    const shown = new IdentityHiding(SEED).field(NAMED, 'trunk');
    expect(shown).not.toContain('anna');
    expect((await put(NAMED, { calls: 3 }, undefined, PLAIN_ADMIN)).body.code).toBe('may-search-tokens-only');
    const { body } = await put(NAMED, { calls: 3 });
    expect((await list(around.plainOperator)).map(({ trunk }) => trunk)).toEqual([shown]);
    expect((await read(NAMED, around.plainOperator)).status).toBe(404);
    expect((await read(shown, around.plainOperator)).body.calls).toBe(3);
    expect((await put(shown, { calls: 4 }, body.etag, PLAIN_ADMIN)).body).toMatchObject({ trunk: shown, calls: 4 });
    expect((await read(NAMED)).body).toMatchObject({ trunk: NAMED, calls: 4 });

    const { values } = await load(around.plainOperator);
    expect(values.map(({ value }) => value)).toEqual(['nordtel-oslo', shown]);
    const named = await load(around.plainOperator, `&values=${encodeURIComponent(shown)}`);
    expect(named.values.map(({ value, attempts }) => `${value} ${attempts}`)).toEqual([`${shown} 1`]);
    const refused = `/api/statistics/load?by=trunk&values=${encodeURIComponent(NAMED)}`;
    expect((await aggregator.get<Problem>(refused, around.plainOperator)).body.code).toBe('may-search-tokens-only');
    await remove(NAMED);
  });
});
