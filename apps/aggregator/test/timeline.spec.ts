import type { CourseItem } from '../src/calls/life/call-course.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, errorXml, published, qualityXml, startXml } from './feed-examples.js';

const FORGER = { remoteAddress: '192.0.2.66', certificateSubject: 'CN=fe9,O=Example' };

describe('the timeline of a call', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  const items = (query: string): Promise<readonly CourseItem[]> =>
    aggregator.all<CourseItem>(`/api/calls/Told/timeline?${query}`, around.operator);

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const received = Date.parse('2026-03-02T10:10:00Z');
    const callId = 'Told';
    await around.publish(
      { ...published(endXml({ callId, cseq: 3 }), received + 3_000), ...FORGER },
      published(startXml({ callId, cseq: 1 }), received),
      published(errorXml({ callId, cseq: 2, at: '2026-03-02T10:01:00Z' }), received + 1_000),
      // The other front end is two seconds ahead and reports the same start.
      published(startXml({ callId, cseq: 1, frontEnd: 'fe2.example.test', at: '2026-03-02T10:00:02.1Z' }), received),
      published(qualityXml({ callId }, 0.5), received + 60_000),
    );
    await around.call(aggregator, callId, ({ version }) => version === 5);
  });
  afterAll(() => around.stop());

  it('contains every record in order of time, with its events and the state of the call at that point', async () => {
    const seen = await items('limit=200');
    expect(
      seen.map(({ at, frontEnds, cseq, events, after, changed }) => [
        at.slice(11, 23),
        frontEnds[0]?.slice(0, 3),
        cseq,
        events.map(({ kind }) => kind).join(),
        `${after.state} ${after.verdict}`,
        changed.join(),
      ]),
    ).toEqual([
      ['10:00:00.000', 'fe1', 1, 'startOrUpdate,startOrUpdate', 'active unknown', 'state,parties,streams,clocks'],
      ['10:00:00.000', 'fe2', 1, 'startOrUpdate,startOrUpdate', 'active unknown', 'streams,clocks'],
      ['10:01:00.000', 'fe1', 2, 'error', 'active unknown', 'errors,clocks'],
      ['10:03:20.500', 'fe1', 3, 'ended', 'ended unknown', 'state,endReason,streams,clocks'],
      ['10:03:25.000', 'fe1', null, 'qualityUpdate', 'ended bad', 'verdict,quality,clocks'],
    ]);
  });

  it('marks late records, and contains what was parsed', async () => {
    const seen = await items('limit=200');
    expect(seen.map(({ late }) => late)).toEqual([false, false, false, false, true]);
    expect(seen[4]).toMatchObject({
      clock: 'frontEnd',
      version: '1.0',
      receivedAt: '2026-03-02T10:11:00.000Z',
      recordId: expect.any(String),
      events: [{ metrics: { VideoPacketLossRate: { value: 0.5, limit: 0.1 } } }],
      after: { cause: { metric: 'VideoPacketLossRate' }, partial: false },
    });
  });

  it('contains the sender of each record’s connection if the collector has reported it', async () => {
    const unknown = { remoteAddress: null, certificateSubject: null };
    expect(await items('limit=200')).toMatchObject([unknown, unknown, unknown, FORGER, unknown]);
    const { body } = await aggregator.get<{ records: readonly unknown[] }>('/api/calls/Told', around.operator);
    expect(body.records).toMatchObject([unknown, unknown, unknown, FORGER, unknown]);
  });

  it('is the same for every page size', async () => {
    const whole = await items('limit=200');
    expect(await items('limit=1')).toEqual(whole);
    expect(await items('limit=2')).toEqual(whole);
  });

  it.each([
    ['none/timeline', 404, 'no-such-call'],
    ['a%00b/timeline', 404, 'no-such-call'],
    ['Told/timeline?limit=0', 400, 'bad-parameter'],
    ['Told/timeline?limit=201', 400, 'bad-parameter'],
    ['Told/timeline?since=1', 400, 'bad-parameter'],
    ['Told/timeline?cursor=', 400, 'bad-parameter'],
    ['Told/timeline?cursor=x', 400, 'bad-cursor'],
    ['Told/timeline?cursor=WyJub25lIl0', 400, 'bad-cursor'],
    ['Told/timeline/x', 404, 'not-found'],
  ])('replies to %s with %i', async (path, status, code) => {
    expect(await aggregator.get<Problem>(`/api/calls/${path}`, around.operator)).toMatchObject({
      status,
      body: { code },
    });
  });

  it('is found by the CallId in upper or lower case, and by operators only', async () => {
    const path = '/api/calls/TOLD/timeline';
    expect((await aggregator.get<Page<CourseItem>>(path, around.operator)).body.items).toHaveLength(5);
    expect((await aggregator.get<Problem>(path)).status).toBe(401);
    expect((await aggregator.get<Problem>(path, around.user)).status).toBe(403);
  });
});
