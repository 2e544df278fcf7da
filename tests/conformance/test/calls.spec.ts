import { at, listAt, textAt } from '../src/answer.js';
import { FeedClient } from '../src/feed-client.js';
import { Operator } from '../src/operator.js';
import { CallRecords, type RecordOptions } from '../src/records.js';
import { callSides } from '../src/sides.js';
import { unique, until } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

const MINUTES = 60_000;

describe('calls from records (query API)', () => {
  const feed = new FeedClient();
  const web = new WebClient();
  const { names } = feed.system;
  let operator: Operator;

  beforeAll(async () => {
    operator = await Operator.signIn(web);
  });
  afterAll(async () => {
    feed.close();
    await web.close();
  });

  function newCall(more: Partial<RecordOptions> = {}): CallRecords {
    const callId = unique('conformance-');
    const startsAt = Date.now() - 10 * MINUTES;
    return new CallRecords({ names, callId, frontEnd: unique('fe-'), ...callSides(callId), startsAt, ...more });
  }

  const idsOf = async (parameters: string): Promise<readonly string[]> => {
    const page = await operator.read('listCalls', `/api/calls?${parameters}`);
    return listAt(page, 'items').map((call) => textAt(call, 'callId'));
  };

  it('reports no call, then an active call twice, then an ended call', async () => {
    const call = newCall();
    const { callId, frontEnd, startsAt } = call.options;
    const url = `/api/calls/${callId}`;
    expect((await operator.call('readCall', url)).status).toBe(404);

    await feed.post(call.start());
    expect(await operator.callOf(callId, 1)).toMatchObject({
      callId,
      state: 'active',
      partial: false,
      frontEnds: [frontEnd],
      startedAt: new Date(startsAt).toISOString(),
      endedAt: null,
      errors: [],
      quality: [],
      verdict: 'unknown',
      coverage: 'none',
    });
    await feed.post(call.start(['audio', 'video'], 30));
    expect(at(await operator.callOf(callId, 2), 'state')).toBe('active');
    await feed.post(call.ended(125));
    expect(await operator.callOf(callId, 3)).toMatchObject({
      state: 'ended',
      endedAt: new Date(startsAt + 125_000).toISOString(),
      duration: { seconds: 125, clock: 'frontEnd' },
    });
  });

  it('shows the streams of both directions with addresses and codecs, and the records as they came', async () => {
    const call = newCall();
    const xml = call.start(['audio', 'video']);
    await feed.post(xml);
    const shown = await operator.callOf(call.options.callId, 1);
    const { caller, callee } = call.options;
    const streams = listAt(shown, 'streams');
    const ways = streams.map((stream) => [at(stream, 'mediaType'), at(stream, 'from', 'uri'), at(stream, 'to', 'uri')]);
    expect(new Set(ways.map((way) => way.join()))).toEqual(
      new Set([
        ['audio', caller.uri, callee.uri].join(),
        ['audio', callee.uri, caller.uri].join(),
        ['video', caller.uri, callee.uri].join(),
        ['video', callee.uri, caller.uri].join(),
      ]),
    );
    for (const stream of streams) {
      expect(stream).toMatchObject({ state: 'active', protocol: 'UDP', from: { ip: caller.ip } });
      expect(listAt(stream, 'codecs')).toContainEqual({ name: 'SIREN/16000', low: 52_600, high: 68_600 });
    }
    expect(listAt(shown, 'parties').map((party) => at(party, 'uri'))).toEqual(
      expect.arrayContaining([caller.uri, callee.uri]),
    );
    expect(listAt(shown, 'records')).toEqual([
      expect.objectContaining({ kinds: ['startOrUpdate'], frontEnds: [call.options.frontEnd], xml }),
    ]);
  });

  it('hides users on request, and still finds their calls', async () => {
    const call = newCall();
    const { callId, caller } = call.options;
    await feed.post(call.start());
    await operator.callOf(callId, 1);
    const shown = await operator.read('readCall', `/api/calls/${callId}?identities=shown`);
    const hidden = await operator.read('readCall', `/api/calls/${callId}?identities=hidden`);
    const [user, token] = [shown, hidden].map((each) => textAt(each, 'parties', 0, 'uri'));
    expect(token).toMatch(/^sip:[\dA-F]{16}@/);
    const name = (user ?? '').slice('sip:'.length).split('@', 1)[0] ?? '';
    const lists = ['listCalls', 'readCallTimeline'] as const;
    const urls = { listCalls: `/api/calls?callId=${callId}&`, readCallTimeline: `/api/calls/${callId}/timeline?` };
    for (const operation of lists) {
      expect(JSON.stringify(await operator.read(operation, `${urls[operation]}identities=shown`))).toContain(
        `:${name}@`,
      );
      expect(JSON.stringify(await operator.read(operation, `${urls[operation]}identities=hidden`))).not.toContain(
        `:${name}@`,
      );
    }
    expect(JSON.stringify(hidden)).not.toContain(caller.uri);
    for (const each of [user, token])
      expect(await idsOf(`user=${encodeURIComponent(each ?? '')}&callId=${callId}`)).toEqual([callId]);
    const rejected = await operator.read('listRejectedRecords', '/api/rejected-records?limit=1&identities=hidden');
    for (const item of listAt(rejected, 'items')) expect(at(item, 'body')).toBeNull();
  });

  it('shows an error with status and diagnostics; a call that was never established has failed', async () => {
    const call = newCall();
    const diagnostics = '11007;reason=Quality reporting not enabled;source=fe.example.test;appName=X';
    await feed.post(call.error(403, 'Forbidden', diagnostics));
    const shown = await operator.callOf(call.options.callId, 1);
    expect(at(shown, 'state')).toBe('failed');
    expect(listAt(shown, 'errors')).toEqual([
      expect.objectContaining({
        code: 403,
        phrase: 'Forbidden',
        diagnostics: {
          code: 11_007,
          reason: 'Quality reporting not enabled',
          source: 'fe.example.test',
          text: diagnostics,
          meaning: 'Quality reporting is not enabled',
        },
      }),
    ]);
  });

  it('shows quality with its limits, and the metric that made it bad', async () => {
    const call = newCall();
    await feed.post(call.start(['video']));
    await feed.post(call.ended(60));
    const metrics =
      '<PacketUtilization>4120</PacketUtilization><VideoPacketLossRate Limit="0.1">0.25</VideoPacketLossRate>' +
      '<RecvFrameRateAverage Limit="7">14.5</RecvFrameRateAverage>';
    await feed.post(call.quality('video', metrics, 61));
    const shown = await operator.callOf(call.options.callId, 3);
    expect(shown).toMatchObject({ verdict: 'bad', state: 'ended' });
    expect(listAt(shown, 'quality')).toEqual([
      expect.objectContaining({
        mediaType: 'video',
        final: true,
        connectivity: 'DIRECT',
        verdict: 'bad',
        metrics: expect.objectContaining({
          PacketUtilization: expect.objectContaining({ value: 4_120, level: 'unjudged', threshold: null }),
          VideoPacketLossRate: expect.objectContaining({ value: 0.25, limit: 0.1, unit: 'ratio', level: 'bad' }),
          RecvFrameRateAverage: expect.objectContaining({ value: 14.5, limit: 7, unit: '1/s', level: 'good' }),
        }),
        cause: { metric: 'VideoPacketLossRate', value: 0.25, threshold: 0.1, thresholdFrom: 'sender' },
      }),
    ]);
  });

  it('makes one call from the records of two front ends, each with its own sequence', async () => {
    const first = newCall();
    const second = new CallRecords({ ...first.options, frontEnd: unique('fe-') });
    await feed.post(first.start());
    await feed.post(second.start());
    await feed.post(second.ended(40));
    await feed.post(first.ended(40));
    const shown = await operator.callOf(first.options.callId, 4);
    expect(new Set(listAt(shown, 'frontEnds'))).toEqual(new Set([first.options.frontEnd, second.options.frontEnd]));
    expect(listAt(shown, 'streams')).toHaveLength(2);
    for (const { options } of [first, second])
      expect(await idsOf(`frontEnd=${options.frontEnd}`)).toEqual([options.callId]);
  });

  it('counts a copy of a record once', async () => {
    const call = newCall();
    const xml = call.start();
    for (let i = 0; i < 3; i++) await feed.post(xml);
    await feed.post(call.ended(5));
    const shown = await operator.callThat(call.options.callId, 'that has ended', (c) => at(c, 'state') === 'ended');
    expect(at(shown, 'version')).toBe(2);
  });

  it('makes the same call from records that arrive in another order', async () => {
    const call = newCall();
    const records = [call.start(), call.ended(50)];
    for (const xml of records.toReversed()) await feed.post(xml);
    expect(await operator.callOf(call.options.callId, 2)).toMatchObject({ state: 'ended', partial: false });
  });

  it('lists the events of a call in order, in whatever order they arrived', async () => {
    const call = newCall();
    const url = `/api/calls/${call.options.callId}/timeline`;
    for (const xml of [call.ended(50), call.start()]) await feed.post(xml);
    await operator.callOf(call.options.callId, 2);
    const first = await operator.read('readCallTimeline', `${url}?limit=1`);
    expect(at(first, 'items')).toMatchObject([{ after: { state: 'active' }, clock: 'frontEnd', late: false }]);
    const second = await operator.read('readCallTimeline', `${url}?limit=1&cursor=${textAt(first, 'next')}`);
    expect(second).toMatchObject({ items: [{ after: { state: 'ended', endReason: 'ended' } }], next: null });
    const around = await operator.read('readCallSurroundings', `/api/calls/${call.options.callId}/surroundings`);
    expect(at(around, 'items', 0, 'problem')).toBe('bad');
  });

  it('marks a call of which only the end is known, and leaves a call active whose end was lost', async () => {
    const [partial, open] = [newCall(), newCall()];
    await feed.post(partial.ended(5));
    await feed.post(open.start());
    expect(await operator.callOf(partial.options.callId, 1)).toMatchObject({ state: 'ended', partial: true });
    expect(await operator.callOf(open.options.callId, 1)).toMatchObject({ state: 'active', endedAt: null });
  });

  it('finds a call by its id in any case', async () => {
    const call = newCall();
    await feed.post(call.start());
    const shown = await operator.callOf(call.options.callId.toUpperCase(), 1);
    expect(at(shown, 'callId')).toBe(call.options.callId);
  });

  it('filters by front end, user, state, verdict and time', async () => {
    const frontEnd = unique('fe-');
    const [active, ended] = [newCall({ frontEnd }), newCall({ frontEnd, startsAt: Date.now() - 5 * MINUTES })];
    await feed.post(active.start());
    await feed.post(ended.start());
    await feed.post(ended.ended(60));
    await operator.callOf(active.options.callId, 1);
    await operator.callOf(ended.options.callId, 2);
    const [activeId, endedId] = [active.options.callId, ended.options.callId];
    const between = new Date(Date.now() - 7 * MINUTES).toISOString();
    expect(await idsOf(`frontEnd=${frontEnd}`)).toEqual([endedId, activeId]);
    expect(await idsOf(`frontEnd=${frontEnd.toUpperCase()}&state=active`)).toEqual([activeId]);
    expect(await idsOf(`frontEnd=${frontEnd}&state=ended,failed`)).toEqual([endedId]);
    expect(await idsOf(`frontEnd=${frontEnd}&from=${between}`)).toEqual([endedId]);
    expect(await idsOf(`frontEnd=${frontEnd}&to=${between}`)).toEqual([activeId]);
    expect(await idsOf(`frontEnd=${frontEnd}&verdict=unknown`)).toHaveLength(2);
    expect(await idsOf(`frontEnd=${frontEnd}&verdict=bad`)).toEqual([]);
    expect(await idsOf(`user=${encodeURIComponent(active.options.callee.uri)}`)).toEqual([activeId]);
    expect(await idsOf(`user=${active.options.caller.uri.slice('sip:'.length).toUpperCase()}`)).toEqual([activeId]);
    expect(await idsOf(`callId=${activeId.toUpperCase()}&frontEnd=${frontEnd}`)).toEqual([activeId]);
    expect(await idsOf(`frontEnd=${frontEnd}&address=0.0.0.0/0&sort=oldest`)).toEqual([activeId, endedId]);
    expect(await idsOf(`frontEnd=${frontEnd}&address=203.0.113.255`)).toEqual([]);
    expect(await idsOf(`frontEnd=${frontEnd}&sort=longest`)).toEqual([endedId]);
    expect(await idsOf(`frontEnd=${frontEnd}&errorCode=599`)).toEqual([]);
  });

  it('counts calls, streams and the load by time', async () => {
    const call = newCall();
    const { callId, frontEnd, startsAt } = call.options;
    await feed.post(call.start());
    await feed.post(call.ended(60));
    await operator.callOf(callId, 2);
    const time = `frontEnd=${frontEnd}&from=${new Date(startsAt - 1_000).toISOString()}&bucketSeconds=3600`;
    for (const by of ['frontEnd', 'site', 'subnet', 'medium', 'codec', 'connection', 'userAgent']) {
      const counted = await operator.read('countStreams', `/api/statistics/streams?${time}&by=${by}`);
      expect(at(counted, 'items', 0)).toMatchObject({ calls: 1, failedCalls: 0, bad: 0 });
    }
    const counted = await operator.read('countStreams', `/api/statistics/streams?${time}&by=frontEnd`);
    expect(at(counted, 'items', 0)).toMatchObject({ value: frontEnd, streams: 2, unknown: 2 });
    const total = await operator.read('countCalls', `/api/statistics/total?frontEnd=${frontEnd}`);
    expect(total).toEqual({ calls: 1, exact: true });
    const load = await operator.read('readLoad', `/api/statistics/load?${time}`);
    expect(at(load, 'items', 0, 'calls')).toBe(1);
    const suspects = await operator.read('listSuspects', `/api/suspects?frontEnd=${frontEnd}`);
    expect([at(suspects, 'overall', 'finished'), at(suspects, 'items')]).toEqual([1, []]);
  });

  it('reports the quality of streams, and finds the calls behind it', async () => {
    const call = newCall();
    const { callId, frontEnd, startsAt } = call.options;
    await feed.post(call.start(['video']));
    const metrics = '<PacketUtilization>4120</PacketUtilization><RoundTrip>250</RoundTrip>';
    await feed.post(call.quality('video', metrics, 61));
    await operator.callOf(callId, 2);
    const time = `frontEnd=${frontEnd}&from=${new Date(startsAt - 1_000).toISOString()}`;
    for (const [metric, max] of Object.entries({ loss: 0, roundTrip: 250 })) {
      const statistics = await operator.read(
        'readMetrics',
        `/api/statistics/metrics?${time}&by=codec&metric=${metric}`,
      );
      expect(at(statistics, 'items', 0)).toMatchObject({ streams: 1, average: max, p50: max, p99: max, max });
      expect(listAt(statistics, 'items', 0, 'distribution')).toHaveLength(listAt(statistics, 'bounds').length + 1);
      const codec = encodeURIComponent(String(at(statistics, 'items', 0, 'value')));
      expect(await idsOf(`${time}&codec=${codec}&medium=video&connection=wired`)).toEqual([callId]);
    }
    expect(await idsOf(`${time}&medium=audio`)).toEqual([]);
    expect(await idsOf(`${time}&userAgent=nobody`)).toEqual([]);
  });

  it('exports calls as CSV and as NDJSON', async () => {
    const call = newCall();
    const { callId } = call.options;
    await feed.post(call.start());
    await operator.callOf(callId, 1);
    const table = await operator.call('exportCallsCsv', `/api/calls.csv?callId=${callId}`);
    expect([table.status, table.body.split('\r\n')]).toEqual([
      200,
      [expect.stringMatching(/^callId,state,/), expect.stringContaining(`${callId},active,`), ''],
    ]);
    const lines = await operator.call('exportCallsNdjson', `/api/calls.ndjson?callId=${callId}`);
    expect([lines.status, JSON.parse(lines.body)]).toMatchObject([200, { callId, state: 'active' }]);
  });

  it('lists all calls page by page, each once', async () => {
    const frontEnd = unique('fe-');
    const calls = Array.from({ length: 5 }, (_, i) => newCall({ frontEnd, startsAt: Date.now() - i * 1_000 }));
    for (const call of calls) await feed.post(call.start());
    for (const { options } of calls) await operator.callOf(options.callId, 1);
    const seen: string[] = [];
    let next: unknown = '';
    while (typeof next === 'string') {
      const cursor = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
      const page = await operator.read('listCalls', `/api/calls?frontEnd=${frontEnd}&limit=2${cursor}`);
      seen.push(...listAt(page, 'items').map((call) => textAt(call, 'callId')));
      next = at(page, 'next');
    }
    expect(seen).toEqual(calls.map(({ options }) => options.callId));
  });

  it('lists the running services, and reports that no records of an existing call are waiting', async () => {
    const call = newCall();
    await feed.post(call.start());
    await operator.callOf(call.options.callId, 1);
    const shown = await until('the services', async () => {
      const answer = await operator.read('listServices', '/api/services');
      const names = new Set(listAt(answer, 'items').map((item) => at(item, 'service')));
      const read = listAt(answer, 'partitions').every((partition) => at(partition, 'replica') !== null);
      return read && names.has('aggregator') && names.has('collector') ? answer : undefined;
    });
    const accepted = listAt(shown, 'items').flatMap((item) => at(item, 'counts', 'accepted') ?? []);
    expect(accepted.every((count) => typeof count === 'number')).toBe(true);
    expect(listAt(shown, 'partitions').length).toBeGreaterThan(0);
  });

  it('lists the front ends with the number of their records', async () => {
    const call = newCall();
    const { frontEnd } = call.options;
    expect(await feed.post(call.start())).toBe(1);
    const shown = await until('the front end', async () => {
      for (let next: unknown = ''; typeof next === 'string';) {
        const cursor = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
        const answer = await operator.read('listFrontEnds', `/api/front-ends?limit=200${cursor}`);
        const found = listAt(answer, 'items').find((each) => at(each, 'name') === frontEnd);
        if (found !== undefined && at(found, 'answers', 0) !== undefined) return found;
        next = at(answer, 'next');
      }
      return undefined;
    });
    const answers = [{ count: 1 }];
    expect(shown).toMatchObject({ name: frontEnd, records: 1, callsInProgress: 1, answers });
    expect(await operator.read('readFrontEnd', `/api/front-ends/${frontEnd}`)).toMatchObject({
      name: frontEnd,
      late: 0,
      expired: 0,
      rejected: 0,
      answers,
      activity: { records: 1, gaps: [] },
    });
  });
});
