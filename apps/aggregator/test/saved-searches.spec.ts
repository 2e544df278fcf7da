import { IdentityHiding } from '@ringdown/identity-hiding';
import type { SavedSearch as ShownSearch } from '@ringdown/answers/searches';
import { SEARCHES_PER_OPERATOR } from '../src/settings/user-limit-settings.js';
import type { Call } from '../src/calls/call.js';
import { Surroundings, type Answer, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

const SEED = 'seed of these very tests';
const hiding = new IdentityHiding(SEED);
const NOBODY = '00000000-0000-4000-8000-000000000000';
const OTHER = 'other-operator-token';
const PLAIN = 'other-plain-token';

describe('saved searches', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    const until = Date.now() + 3_600_000;
    around.allow(OTHER, ['user', 'operator', 'reveal'], until, 'dave@example.test');
    around.allow(PLAIN, ['user', 'operator'], until, 'erin@example.test');
    aggregator = await around.startAggregator({ IDENTITY_SEED: SEED });
    await around.publish(published(startXml({ callId: 'one', from: 'anna' })));
    await around.call(aggregator, 'one');
  });
  afterAll(() => around.stop());

  const post = <T = ShownSearch>(body: unknown, token = around.operator): Promise<Answer<T>> =>
    aggregator.send<T>('POST', '/api/searches', token, { body });
  const saved = async (content: object, token = around.operator): Promise<ShownSearch> => {
    const { status, body } = await post({ name: 'x', parameters: {}, ...content }, token);
    expect(status).toBe(201);
    return body;
  };
  const read = (id: string, token = around.operator): Promise<Answer<ShownSearch & Problem>> =>
    aggregator.get(`/api/searches/${id}`, token);
  const put = (
    { id }: { readonly id: string },
    body: unknown,
    ifMatch?: string,
    token = around.operator,
  ): Promise<Answer<ShownSearch & Problem>> =>
    aggregator.send('PUT', `/api/searches/${id}`, token, {
      body,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });

  it('are saved, read, changed and deleted', async () => {
    const parameters = { codec: ['PCMU', 'G722'], 'not.state': 'failed', q: 'phone', sort: 'longest' };
    const { status, headers, body } = await post({ name: ' Bad codecs ', parameters });
    expect([status, headers.get('location'), headers.get('etag')]).toEqual([201, `/api/searches/${body.id}`, '"1"']);
    expect(body).toMatchObject({ name: 'Bad codecs', shared: false, own: true, owner: 'carol@example.test' });
    expect((await read(body.id)).body).toEqual({ ...body, parameters });
    const changed = await put(body, { name: 'Codecs', shared: true, parameters: {} }, '"1"');
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ id: body.id, name: 'Codecs', shared: true, parameters: {}, etag: '2' });
    expect((await aggregator.send('DELETE', `/api/searches/${body.id}`, around.operator)).status).toBe(204);
    const gone = await read(body.id);
    expect([gone.status, gone.body.code]).toEqual([404, 'no-such-search']);
  });

  it('are changed only by a client that knows their present state', async () => {
    const search = await saved({});
    const content = { name: 'y', parameters: {} };
    expect((await put(search, content)).body).toMatchObject({ status: 428, code: 'precondition-required' });
    expect((await put(search, content, '"7"')).body).toMatchObject({ status: 412, code: 'precondition-failed' });
    expect((await put(search, content, '1')).status).toBe(200);
    const headers = { 'if-match': '"1"' };
    expect((await aggregator.send('DELETE', `/api/searches/${search.id}`, around.operator, { headers })).status).toBe(
      412,
    );
    const both = await Promise.all([1, 2].map(() => put(search, content, '"2"')));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412]);
  });

  it('can be sent back as they were read', async () => {
    const search = await saved({ parameters: { state: 'failed' } });
    const changed = await put(search, { ...search, name: 'Failed calls' }, `"${search.etag}"`);
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'Failed calls', owner: search.owner, etag: '2' },
    ]);
  });

  it('of somebody else are read if they are shared, and never changed', async () => {
    const [own, shared] = [await saved({ name: 'own' }), await saved({ name: 'shared', shared: true })];
    const content = { name: 'mine now', parameters: {} };
    expect((await read(own.id, OTHER)).body).toMatchObject({ status: 404, code: 'no-such-search' });
    expect((await put(own, content, '"1"', OTHER)).status).toBe(404);
    expect((await aggregator.send('DELETE', `/api/searches/${own.id}`, OTHER)).status).toBe(404);
    expect((await read(shared.id, OTHER)).body).toMatchObject({ name: 'shared', own: false });
    expect((await put(shared, content, '"1"', OTHER)).body).toMatchObject({ status: 403, code: 'not-your-search' });
    expect((await aggregator.send('DELETE', `/api/searches/${shared.id}`, OTHER)).status).toBe(403);
    const names = (await aggregator.all<ShownSearch>('/api/searches?limit=1', OTHER)).map(({ name }) => name);
    expect(names).toContain('shared');
    expect(names).not.toContain('own');
  });

  it('are listed page by page, the last changed first', async () => {
    const first = await saved({ name: 'first' });
    const second = await saved({ name: 'second' });
    expect((await put(first, { name: 'first again', parameters: {} }, '1')).status).toBe(200);
    const items = await aggregator.all<ShownSearch>('/api/searches?limit=2', around.operator);
    expect(items.slice(0, 2).map(({ name }) => name)).toEqual(['first again', 'second']);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(items.map(({ id }) => id)).toContain(second.id);
  });

  it('show users as tokens where users are hidden, and find the same calls by them', async () => {
    const parameters = { user: 'sip:anna@example.test', 'not.frontEnd': 'of Zaphod', q: 'anna', codec: 'PCMU/8000' };
    const search = await saved({ name: 'Calls of Anna', shared: true, parameters });
    for (const answer of [await read(search.id, PLAIN), await read(`${search.id}?identities=hidden`)]) {
      expect(JSON.stringify(answer.body)).not.toMatch(/anna|zaphod/i);
      expect(answer.body.parameters).toMatchObject({
        user: hiding.address('sip:anna@example.test'),
        codec: 'PCMU/8000',
      });
    }
    const hidden = (await read(search.id, PLAIN)).body;
    // Neither the name nor the token that the owner has in calls.
    expect(hidden.owner).toMatch(/^[\dA-F]{16}@example\.test$/);
    expect(hidden.owner).not.toBe(hiding.address('carol@example.test'));
    const user = encodeURIComponent(String(hidden.parameters['user']));
    expect((await aggregator.get<Page<Call>>(`/api/calls?user=${user}`, PLAIN)).body.items).toHaveLength(1);
    expect((await aggregator.get<Problem>(`/api/searches?identities=shown`, PLAIN)).status).toBe(403);
    const plain = await saved({ name: 'Frankfurt', shared: true, parameters: { state: 'failed' } });
    expect((await read(plain.id, PLAIN)).body.name).toBe('Frankfurt');
  });

  it('never turn a text of an operator who does not see users into a token', async () => {
    const content = { name: 'anna', shared: true, parameters: { q: 'anna ben', 'not.state': 'failed' } };
    const search = await saved(content, PLAIN);
    for (const answer of [await read(search.id, PLAIN), await read(`${search.id}?identities=hidden`)]) {
      const { name, parameters } = answer.body;
      expect({ name, parameters }).toEqual({ name: content.name, parameters: content.parameters });
    }
    const changed = await put(search, { ...content, name: 'ben' }, '1', PLAIN);
    expect(JSON.stringify([search, changed.body, await read(search.id, PLAIN)])).not.toContain(hiding.token('anna'));
  });

  it('of an operator who does not see users have only tokens', async () => {
    const refused = await post<Problem>({ name: 'x', parameters: { user: 'anna@example.test' } }, PLAIN);
    expect([refused.status, refused.body.code]).toEqual([403, 'may-search-tokens-only']);
    const user = hiding.address('sip:anna@example.test');
    expect((await saved({ parameters: { user } }, PLAIN)).parameters).toEqual({ user });
  });

  it.each([
    [{ parameters: {} }, 'name'],
    [{ name: '', parameters: {} }, 'name'],
    [{ name: '   ', parameters: {} }, 'name'],
    [{ name: 'x'.repeat(101), parameters: {} }, 'name'],
    [{ name: 'a\u0000b', parameters: {} }, 'name'],
    [{ name: 'a\u202Eb', parameters: {} }, 'name'],
    [{ name: 7, parameters: {} }, 'name'],
    [{ name: 'x' }, 'parameters'],
    [{ name: 'x', parameters: [] }, 'parameters'],
    [{ name: 'x', parameters: 'state=failed' }, 'parameters'],
    [{ name: 'x', parameters: { state: { $ne: 1 } } }, 'parameters'],
    [{ name: 'x', parameters: { minRingSeconds: 2 } }, 'parameters'],
    [{ name: 'x', shared: 'yes', parameters: {} }, 'shared'],
    [{ name: 'x', owner: 'dave@example.test', parameters: {} }, 'owner'],
    [{ name: 'x', parameters: { state: 'dancing' } }, 'parameters.state'],
    [{ name: 'x', parameters: { colour: 'red' } }, 'parameters.colour'],
    [{ name: 'x', parameters: { cursor: 'x' } }, 'parameters.cursor'],
    [{ name: 'x', parameters: { codec: ['a'], 'not.codec': 'a' } }, 'parameters.not.codec'],
    [{ name: 'x', parameters: { from: '2026-02-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'parameters.from'],
    [{ name: 'x', parameters: { last: '24h', to: '2026-01-01T00:00:00Z' } }, 'parameters.last'],
    [{ name: 'x', parameters: { q: 'q'.repeat(10_000) } }, 'parameters'],
    [{ name: 'x', parameters: { q: 'q'.repeat(1_000) } }, 'parameters.q'],
    [{ name: 'x', parameters: { device: '\uD800' } }, 'parameters'],
  ])('are rejected with the name of what is wrong (%#)', async (body, name) => {
    const { status, body: problem } = await post<Problem>(body);
    expect([status, problem.code, problem.parameters?.map((each) => each.name)]).toEqual([
      400,
      'bad-parameter',
      [name],
    ]);
  });

  it.each([NOBODY, 'x', '%00', `${NOBODY}0`, "' or 1=1"])('do not exist under the id %s', async (id) => {
    expect((await read(encodeURIComponent(id))).body).toMatchObject({ status: 404, code: 'no-such-search' });
  });

  it.each(['אבג مرحبا', '%_\\', "' or 1=1 --", '🙂'])('keep the name %s as it is', async (name) => {
    expect((await saved({ name })).name).toBe(name);
  });

  it('need the role of an operator', async () => {
    expect((await aggregator.get<Problem>('/api/searches', around.user)).status).toBe(403);
    expect((await post({ name: 'x', parameters: {} }, around.user)).status).toBe(403);
  });

  it('are at most 100 of each operator, however many are saved at once', async () => {
    const before = (await aggregator.all<ShownSearch>('/api/searches?limit=200', OTHER)).filter(({ own }) => own);
    const wanted = SEARCHES_PER_OPERATOR - before.length + 5;
    const answers = await Promise.all(
      Array.from({ length: wanted }, () => post<Problem>({ name: 'x', parameters: {} }, OTHER)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toMatchObject({ status: 409, code: 'too-many-searches' });
  });
});
