import type { CallSurroundings } from '@ringdown/answers/statistics';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call } from '../src/calls/call.js';
import { surroundingsQuery } from '../src/store/statistics/call-surroundings.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';
import { copyCalls, StoreUnderTest } from './store-under-test.js';

const SEED = 'seed of these very tests';
const hiding = new IdentityHiding(SEED);

function record(callId: string, at: string, events: string): string {
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><FrontEnds>fe1</FrontEnds>
    <TimeStamp>${at}</TimeStamp></ConnectionInfo>${events}</Diagnostics>`;
}

function side(name: string, more = ''): string {
  return `<Id>${name}1</Id><URI>sip:${name}@example.test</URI>${more}`;
}

const TRUNK = side('ben', '<IP>10.10.9.21</IP><Trunk>Nordtel</Trunk>');
const AT_ACCESS_POINT = side('anna', '<IP>10.1.0.7</IP><BSSID>0a-0b-0c</BSSID>');

/** Over this trunk, with this answer. */
function failed(callId: string, at: string, code: number): readonly string[] {
  const error = `<Error><Properties><ResponseCode>${code}</ResponseCode></Properties></Error>`;
  const invite = `<Invite><Caller>${side('anna', '<IP>10.1.0.9</IP>')}</Caller><Callee>${TRUNK}</Callee></Invite>`;
  return [record(callId, at, invite), record(callId, at.replace(/Z$/, '.5Z'), error)];
}

/** Over the trunk from the access point, with this loss. */
function talked(callId: string, at: string, loss: number): readonly string[] {
  const ends = `<From>${AT_ACCESS_POINT}</From><To>${TRUNK}</To>`;
  const quality = `<QualityUpdate Type="audio">${ends}<Properties><PacketLossRate>${loss}</PacketLossRate>
    <PacketUtilization>25000</PacketUtilization></Properties></QualityUpdate>`;
  return [
    record(callId, at, `<Start Type="audio">${ends}</Start>`),
    record(callId, at.replace(/Z$/, '.2Z'), `<Bye><EndPoint>${side('anna')}</EndPoint></Bye>`),
    record(callId, at.replace(/Z$/, '.5Z'), quality),
  ];
}

const RECORDS = {
  refused: failed('refused', '2026-03-02T10:10:00Z', 503),
  also: failed('also', '2026-03-02T10:59:59Z', 500),
  busy: failed('busy', '2026-03-02T10:20:00Z', 486),
  later: failed('later', '2026-03-02T11:00:00Z', 503),
  lossy: talked('lossy', '2026-03-02T10:30:00Z', 0.4),
  before: talked('before', '2026-03-02T09:59:59Z', 0.001),
  week: talked('week', '2026-02-23T10:00:00Z', 0.4),
  refusedBefore: failed('refusedBefore', '2026-02-28T10:00:00Z', 503),
  longAgo: talked('longAgo', '2026-02-23T09:59:59Z', 0.4),
};

describe('whether it was only this call', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sites-'));

  beforeAll(async () => {
    const sites = join(folder, 'sites.json');
    writeFileSync(sites, JSON.stringify({ Oslo: ['10.1.0.0/16'] }));
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ IDENTITY_SEED: SEED, SITES_FILE: sites });
    await around.publish(...Object.values(RECORDS).flatMap((records) => records.map((xml) => published(xml))));
    for (const [callId, { length }] of Object.entries(RECORDS))
      await around.call(aggregator, callId, (call) => call.version === length);
  });
  afterAll(async () => {
    await around.stop();
    rmSync(folder, { recursive: true });
  });

  const surroundingsOf = async (callId: string, operator = around.operator): Promise<CallSurroundings> =>
    (await aggregator.get<CallSurroundings>(`/api/calls/${callId}/surroundings`, operator)).body;

  it('is told for a failed call by the calls over its trunk, of its site and feed, in its hour and the week before', async () => {
    const { from, to, items } = await surroundingsOf('refused');
    expect([from, to]).toEqual(['2026-03-02T10:00:00.000Z', '2026-03-02T11:00:00.000Z']);
    const hour = { calls: 4, bad: 2 };
    const usual = { calls: 3, bad: 1 };
    expect(items.map(({ search: _search, ...item }) => item)).toEqual([
      { dimension: 'site', value: 'Oslo', problem: 'failed', hour, usual },
      { dimension: 'frontEnd', value: 'fe1', problem: 'failed', hour, usual },
      { dimension: 'trunk', value: 'nordtel', problem: 'failed', hour, usual },
    ]);
  });

  it('is told for a bad call by the verdicts at its access point', async () => {
    const { items } = await surroundingsOf('lossy');
    const item = items.find(({ dimension }) => dimension === 'bssid');
    const counts = { hour: { calls: 1, bad: 1 }, usual: { calls: 2, bad: 1 } };
    expect(item).toMatchObject({ value: '0a-0b-0c', problem: 'bad', ...counts });
  });

  it('names no fault where a person answered', async () => {
    expect((await surroundingsOf('busy')).items.map(({ problem }) => problem)).toEqual(['bad', 'bad', 'bad']);
  });

  it.each(['refused', 'lossy'])('links to searches that find as many as it counts: %s', async (callId) => {
    const { items } = await surroundingsOf(callId);
    expect(items.length).toBeGreaterThan(2);
    for (const { search, hour } of items) {
      const query = new URLSearchParams(search).toString();
      const { body } = await aggregator.get<Page<Call>>(`/api/calls?${query}`, around.operator);
      expect(body.items).toHaveLength(hour.bad);
    }
  });

  it('hides the texts of senders, and finds the same calls by what is shown', async () => {
    const { items } = await surroundingsOf('refused', around.plainOperator);
    const trunk = items.find(({ dimension }) => dimension === 'trunk');
    expect(trunk).toMatchObject({ value: hiding.field('nordtel', 'trunk'), hour: { calls: 4, bad: 2 } });
    for (const { search, hour } of items) {
      const query = new URLSearchParams(search).toString();
      const { body } = await aggregator.get<Page<Call>>(`/api/calls?${query}`, around.plainOperator);
      expect(body.items).toHaveLength(hour.bad);
    }
  });

  it.each([
    ['none/surroundings', 404, 'no-such-call'],
    ['a%00b/surroundings', 404, 'no-such-call'],
    ['refused/surroundings?by=trunk', 400, 'bad-parameter'],
  ])('rejects %s', async (path, status, code) => {
    const answer = await aggregator.get<Problem>(`/api/calls/${path}`, around.operator);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('the question for the calls around one, among 20,000', () => {
  const CALLS = 20_000;
  /** Two a minute, for seven days: all have a front end, and every five hundredth an access point. */
  const VALUES = `'began_at', began_at - n * interval '30 seconds', 'verdict', case when n % 10 = 0 then 'bad' else 'good' end,
    'search_keys', jsonb_build_array('frontEnd:fe1', 'user:' || n, 'bssid:' || n % 500)`;
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await StoreUnderTest.start();
    await store.commit(published(startXml({ callId: 'one' })));
    await copyCalls(store.database, CALLS, VALUES);
    await store.renewStatistics();
  });
  afterAll(() => store.stop());

  interface Node {
    readonly 'Node Type': string;
    readonly 'Actual Rows': number;
    readonly 'Rows Removed by Index Recheck'?: number;
    readonly 'Rows Removed by Filter'?: number;
    readonly Plans?: readonly Node[];
  }

  function nodes(node: Node): readonly Node[] {
    return [node, ...(node.Plans ?? []).flatMap((part) => nodes(part))];
  }

  it.each([
    ['a front end, which all calls have', 'frontEnd:fe1'],
    ['an access point, which few calls have', 'bssid:7'],
  ])('reads less than a quarter of the calls for %s', async (_what, key) => {
    const { rows: begun } = await store.database.read((transaction) =>
      transaction.query<{ began_at: Date }>(`select began_at from calls where call_key = 'one'`, []),
    );
    const hour = Math.floor((begun[0]?.began_at.getTime() ?? 0) / 3_600_000) * 3_600_000;
    const { sql, values } = surroundingsQuery({ searchKeys: [[key]] }, hour, 'bad');
    const { rows } = await store.database.read((transaction) =>
      transaction.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(`explain (analyze, format json) ${sql}`, [
        ...values,
      ]),
    );
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    const scans = nodes(plan?.Plan ?? { 'Node Type': '', 'Actual Rows': 0 }).filter((node) => node.Plans === undefined);
    const read = scans.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    expect(scans.length).toBeGreaterThan(7);
    expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThan(CALLS / 4);
  });
});
