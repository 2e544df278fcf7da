import { Surroundings, type Answer, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { errorXml, published, startXml } from './feed-examples.js';

interface Listed {
  readonly callId: string;
}

const UPLOAD = 'upload~carol~site-7';
/** A week that ends now: previews of alert rules look at it. */
const at = new Date(Date.now() - 3_600_000).toISOString();

describe('calls of uploaded captures', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    await around.publish(
      published(startXml({ callId: 'reported', at })),
      published(startXml({ callId: 'uploaded', at, frontEnd: UPLOAD })),
      published(errorXml({ callId: 'failed', at, frontEnd: UPLOAD })),
      // With the CallId of a call that a front end has reported.
      published(errorXml({ callId: 'reported', at, frontEnd: UPLOAD })),
    );
    for (const callId of ['reported', 'uploaded', 'failed'])
      await around.call(aggregator, callId, ({ version }) => version === (callId === 'reported' ? 2 : 1));
  });
  afterAll(() => around.stop());

  const get = <T>(path: string): Promise<Answer<T>> => aggregator.get<T>(path, around.operator);
  const listed = async (query: string): Promise<readonly string[]> => {
    const { items } = (await get<Page<Listed>>(`/api/calls?${query}`)).body;
    return items.map(({ callId }) => callId).toSorted();
  };

  it('are listed with all others, and left out or listed alone on request', async () => {
    expect(await listed('')).toEqual(['failed', 'reported', 'uploaded']);
    expect(await listed('uploads=include')).toEqual(['failed', 'reported', 'uploaded']);
    expect(await listed('uploads=exclude')).toEqual(['reported']);
    expect(await listed('uploads=only')).toEqual(['failed', 'uploaded']);
    expect((await get<Problem>('/api/calls?uploads=some')).body).toMatchObject({ status: 400, code: 'bad-parameter' });
  });

  it('change nothing in the call that a front end has reported', async () => {
    const { body } = await get<object>('/api/calls/reported');
    expect(body).toMatchObject({ state: 'active', errors: [], feeds: ['fe1.example.test'] });
  });

  it('do not count in statistics, unless they are asked for', async () => {
    const total = async (query: string): Promise<unknown> =>
      (await get<{ calls: number }>(`/api/statistics/total?${query}`)).body.calls;
    expect([await total(''), await total('uploads=only'), await total('uploads=include')]).toEqual([1, 2, 3]);
    const by = async (query: string): Promise<readonly unknown[]> => {
      const { items } = (await get<Page<{ value: string }>>(`/api/statistics/streams?by=frontEnd&${query}`)).body;
      return items.map(({ value }) => value);
    };
    expect(await by('')).toEqual(['fe1.example.test']);
    expect(await by('uploads=only')).toContain(UPLOAD);
    const load = (await get<Page<{ calls: number }>>('/api/statistics/load')).body.items;
    expect(Math.max(...load.map(({ calls }) => calls))).toBe(1);
  });

  it('raise no alert, unless its rule asks for them', async () => {
    const preview = async (search: object): Promise<number> => {
      const rule = { name: 'x', measure: 'answerSeizure', limit: 0.9, clearLimit: 0.9, minimumCalls: 1, search };
      const { status, body } = await aggregator.send<Page<unknown>>(
        'POST',
        '/api/alert-rules/preview',
        around.operator,
        { body: rule },
      );
      expect(status).toBe(200);
      return body.items.length;
    };
    expect(await preview({})).toBe(0);
    expect(await preview({ uploads: 'include' })).toBe(1);
    const silence = { name: 'x', measure: 'silentFeed', limit: 300, clearLimit: 300 };
    const { body } = await aggregator.send<{ items: readonly { scope: object }[] }>(
      'POST',
      '/api/alert-rules/preview',
      around.operator,
      { body: silence },
    );
    expect(JSON.stringify(body.items)).not.toContain('upload~');
  });

  it('show their front end also where users are hidden', async () => {
    const { body } = await get<Page<object>>('/api/calls?uploads=only&identities=hidden');
    for (const call of body.items) expect(call).toMatchObject({ feeds: [UPLOAD], frontEnds: [UPLOAD] });
  });
});
