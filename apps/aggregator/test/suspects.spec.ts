import type { SuspectList } from '@ringdown/answers/suspects';
import { rankSuspects } from '@ringdown/quality/suspects';
import { STORED_CALL, storedCall, type StoredCallRow } from '../src/store/records/stored-call.js';
import { SuspectSource } from '../src/store/statistics/suspects/suspect-source.js';
import { Suspects } from '../src/store/statistics/suspects/suspects.js';
import { Surroundings, type Answer, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published } from './feed-examples.js';
import { suspectCalls } from './suspect-calls.js';
import { Database } from '../src/store/database/database.js';
import { quietLogger } from '@ringdown/testing/quiet-logger';

const DAY = 'from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z';
const PERIOD = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };
const SITES = [{ site: 'Oslo', net: '10.1.0.0/16' }];

interface Made {
  readonly group: string;
  readonly calls: number;
  readonly troubled: number;
  /** Elements of the caller. */
  readonly caller?: string;
  readonly callee?: string;
  readonly device?: string;
  readonly refusal?: string;
}

function record(callId: string, second: number, events: string): string {
  const at = `2026-03-02T10:${String(10 + Math.floor(second / 60))}:${String(second % 60).padStart(2, '0')}Z`;
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><FrontEnds>fe1</FrontEnds>
    <TimeStamp>${at}</TimeStamp></ConnectionInfo>${events}</Diagnostics>`;
}

/** Each call has people of its own. */
function recordsOf({
  group,
  calls,
  troubled,
  caller = '',
  callee = '',
  device = 'Jubilee 45',
  refusal,
}: Made): readonly string[] {
  return Array.from({ length: calls }, (_, n) => {
    const callId = `${group}-${n}`;
    const a = `<Id>a</Id><URI>sip:caller-${callId}@example.test</URI>${caller}`;
    const b = `<Id>b</Id><URI>sip:callee-${callId}@example.test</URI>${callee}`;
    const invite = record(callId, 0, `<Invite><Caller>${a}</Caller><Callee>${b}</Callee></Invite>`);
    if (refusal !== undefined && n < troubled)
      return [invite, record(callId, 1, `<Error><Properties>${refusal}</Properties></Error>`)];
    const loss = n < troubled ? 0.5 : 0.001;
    const start = record(callId, 2, `<Start Type="audio"><From>${a}</From><To>${b}</To></Start>`);
    const report = `<QualityUpdate Type="audio"><From>${a}</From><To>${b}</To><Properties><PacketUtilization>3000</PacketUtilization>
      <PacketLossRate>${loss}</PacketLossRate><CaptureDevice>${device}</CaptureDevice></Properties></QualityUpdate>`;
    return [invite, start, record(callId, 90, `<Bye><EndPoint>${a}</EndPoint></Bye>`), record(callId, 91, report)];
  }).flat();
}

const REFUSAL = `<ResponseCode>503</ResponseCode><VendorDiagnostics>10014;gateway="10.9.9.21:5060";source="fe1"</VendorDiagnostics>`;
const MADE: readonly Made[] = [
  { group: 'usual', calls: 120, troubled: 4, caller: '<IP>10.1.0.7</IP>' },
  { group: 'sonora', calls: 40, troubled: 20, device: 'Sonora of Zaphod', caller: '<IP>10.1.0.8</IP>' },
  {
    group: 'trunk',
    calls: 60,
    troubled: 30,
    callee: '<IP>10.9.9.21</IP><Trunk>nordtel</Trunk>',
    refusal: REFUSAL,
  },
];

describe('GET /api/suspects', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({
      IDENTITY_SEED: 'seed of these very tests',
      API_REQUESTS_PER_MINUTE: '1000000',
    });
    const records = MADE.flatMap((made) => recordsOf(made));
    await around.publish(...records.map((xml) => published(xml)));
    for (const { group, calls, troubled, refusal } of MADE) {
      for (let n = 0; n < calls; n++) {
        const version = refusal !== undefined && n < troubled ? 2 : 4;
        await around.call(aggregator, `${group}-${n}`, (call) => call.version === version);
      }
    }
  });
  afterAll(() => around.stop());

  const ask = async (query = DAY, token = around.operator): Promise<SuspectList> => {
    const { status, body }: Answer<SuspectList> = await aggregator.get(`/api/suspects?${query}`, token);
    expect({ query, status, body: status === 200 ? undefined : body }).toEqual({ query, status: 200, body: undefined });
    return body;
  };

  const totalFor = async (search: SuspectList['items'][number]['search'], token: string): Promise<number> => {
    const parameters = Object.entries(search).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
    const query = new URLSearchParams(parameters as [string, string][]).toString();
    const { body }: Answer<{ calls: number }> = await aggregator.get(`/api/statistics/total?${query}`, token);
    return body.calls;
  };

  it('names a trunk that refuses and a headset with bad calls, with numbers, causes and hours', async () => {
    const { items, overall, usual, sampled, from, to } = await ask();
    expect([from, to, sampled, usual]).toEqual(['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z', null, null]);
    expect(overall).toEqual({ finished: 220, failed: 30, judged: 190, bad: 24, audioKnown: 190, noAudio: 0 });
    expect(items).toMatchObject([
      {
        problem: 'failed',
        dimension: 'trunk',
        value: 'nordtel',
        calls: 60,
        bad: 30,
        elsewhere: 0,
        causes: [{ cause: '503', calls: 30 }],
      },
      {
        problem: 'bad',
        dimension: 'device',
        value: 'sonora of zaphod',
        calls: 40,
        bad: 20,
        share: 0.5,
        onePerson: false,
        causes: [{ cause: 'PacketLossRate', calls: 20 }],
        hours: [{ at: '2026-03-02T10:00:00.000Z', calls: 40, bad: 20 }],
      },
    ]);
    expect(items[0]?.same).toContainEqual({ dimension: 'hop', value: '10.9.9.21' });
  });

  it.each(['operator', 'plainOperator'] as const)(
    'has searches that find exactly the calls with the problem (%s)',
    async (role) => {
      const token = around[role];
      const { items } = await ask(DAY, token);
      expect(items).toHaveLength(2);
      for (const { search, bad } of items) expect(await totalFor(search, token)).toBe(bad);
    },
  );

  it('shows no names to operators who do not see users', async () => {
    const { items } = await ask(DAY, around.plainOperator);
    expect(JSON.stringify(items)).not.toMatch(/zaphod|caller-|callee-/i);
    expect(items[1]?.value).toMatch(/^hidden-\w+ of hidden-\w+$/);
  });

  it('counts in the database what the calls say', async () => {
    const database = new Database({ url: around.database.url, logger: quietLogger() });
    const { rows } = await database.read((transaction) =>
      transaction.query<StoredCallRow>(`select ${STORED_CALL} from calls`),
    );
    const whole = rows.map(storedCall);
    const find = (mostCalls?: number, period = PERIOD): ReturnType<Suspects['find']> =>
      new Suspects(database, { subnets: SITES }, mostCalls).find({
        filter: { ...period, uploads: 'exclude' },
        limit: 10,
        isSearchable: () => true,
      });
    const counted = await find();
    const { facts } = await database.read(async (transaction) => {
      const source = await SuspectSource.of(transaction, PERIOD, { sites: SITES, most: 20_000 });
      return source.read(3_600);
    });
    const oracle = suspectCalls(whole, SITES);
    expect(facts).toEqual(oracle.facts);
    const expected = rankSuspects(oracle, { limit: 10 });
    expect(counted.tested).toBe(expected.tested);
    expect(counted.suspects).toMatchObject(expected.suspects.map(({ fact: _fact, ...suspect }) => suspect));
    const sampled = await find(100);
    expect(sampled.oneOf).toBe(4);
    expect(sampled.overall.finished).toBeGreaterThan(20);
    expect(sampled.overall.finished).toBeLessThan(120);
    // The week before has so many calls that one of four is counted, and this time none: the numbers compare nevertheless.
    const { oneOf, usual } = await find(100, { from: PERIOD.to, to: new Date(PERIOD.to.getTime() + 3_600_000) });
    expect([oneOf, (usual?.finished ?? 0) % 4]).toEqual([1, 0]);
    expect(usual?.finished).toBeGreaterThan(120);
    await database.close();
  });

  it('looks only at the calls of the filter, and keeps it in the searches', async () => {
    const { items } = await ask(`${DAY}&trunk=nordtel&verdict=good`);
    expect(items).toEqual([]);
    const filtered = await ask(`${DAY}&frontEnd=fe1&not.device=sonora+of+zaphod`);
    expect(filtered.items.map(({ value }) => value)).toEqual(['nordtel']);
    const [{ search, bad } = { search: {}, bad: 0 }] = filtered.items;
    expect(search).toMatchObject({ frontEnd: 'fe1', 'not.device': 'sonora of zaphod', uploads: 'exclude' });
    expect(await totalFor(search, around.operator)).toBe(bad);
    expect((await ask(`${DAY}&limit=1`)).items).toHaveLength(1);
  });

  it('compares with the seven days before', async () => {
    const later = await ask('from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z');
    expect(later.items).toEqual([]);
    expect(later.usual).toEqual({ finished: 220, failed: 30, judged: 190, bad: 24, audioKnown: 190, noAudio: 0 });
  });

  it('is for operators, and names unknown parameters', async () => {
    expect((await aggregator.get<Problem>('/api/suspects', around.user)).status).toBe(403);
    const { body }: Answer<Problem> = await aggregator.get('/api/suspects?colour=red', around.operator);
    expect(body).toMatchObject({ status: 400, code: 'bad-parameter' });
    const { status }: Answer<Page<unknown>> = await aggregator.get('/api/suspects', around.operator);
    expect(status).toBe(200);
  });
});
