import { IdentityHiding } from '@ringdown/identity-hiding';
import type { Call } from '../src/calls/call.js';
import type { Counts } from '../src/store/statistics/statistics.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published } from './feed-examples.js';

const SEED = 'seed of these very tests';
const hiding = new IdentityHiding(SEED);
const DAY = 'from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z&bucketSeconds=86400';
const RANG = '<RingTime>18000</RingTime><PostDialDelay>400</PostDialDelay>';

function record(callId: string, minute: number, header: string, events: string): string {
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><FrontEnds>fe1</FrontEnds>
    <TimeStamp>2026-03-02T10:0${minute}:00Z</TimeStamp>${header}</ConnectionInfo>${events}</Diagnostics>`;
}

function side(name: string, more = ''): string {
  return `<Id>${name}1</Id><URI>sip:${name}@example.test</URI>${more}`;
}

function invite(from: string, to: string): string {
  return `<Invite><Caller>${from}</Caller><Callee>${to}</Callee></Invite>`;
}

function error(code: number, diagnostics = ''): string {
  return `<Error><Properties><ResponseCode>${code}</ResponseCode>${diagnostics}</Properties></Error>`;
}

describe('calls by their sides, servers and outcome', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ IDENTITY_SEED: SEED });
    const trunk = side('ben', '<IP>10.10.9.21</IP><Trunk>nordtel</Trunk>');
    const gateway = '<VendorDiagnostics>10014;gateway="10.10.9.21:5060";source="fe1"</VendorDiagnostics>';
    const start = `<Start Type="audio"><From>${side('ben')}</From><To>${side('carl')}</To><Properties>
      <ReferredBy>sip:anna@example.test</ReferredBy><Via>SIP/2.0/TLS sbc1.example.test:5061;branch=z9hG4bK1</Via></Properties></Start>`;
    await around.publish(
      published(record('refused', 0, '', invite(side('anna'), trunk))),
      published(record('refused', 1, RANG, error(503, gateway))),
      published(record('unanswered', 2, '', invite(side('ben'), side('anna')))),
      published(record('unanswered', 3, RANG, error(480))),
      published(record('ledto', 4, '', start)),
    );
    const versions = { refused: 2, unanswered: 2, ledto: 1 };
    for (const [callId, version] of Object.entries(versions))
      await around.call(aggregator, callId, (call) => call.version === version);
  });
  afterAll(() => around.stop());

  const idsOf = async (query: string, operator = around.operator): Promise<readonly string[]> => {
    const { body } = await aggregator.get<Page<Call>>(`/api/calls?sort=oldest&${query}`, operator);
    return body.items.map(({ callId }) => callId);
  };

  it.each([
    ['user=anna@example.test', ['refused', 'unanswered']],
    ['caller=anna@example.test', ['refused']],
    ['caller=SIP:Anna@example.test', ['refused']],
    ['caller=anna@example.test&caller=ben@example.test', ['refused', 'unanswered', 'ledto']],
    ['callee=anna@example.test', ['unanswered']],
    ['callee=carl@example.test', ['ledto']],
    ['caller=ben@example.test&callee=carl@example.test', ['ledto']],
    ['not.caller=ben@example.test', ['refused']],
    ['not.callee=ben@example.test', ['unanswered', 'ledto']],
    ['transferred=true', ['ledto']],
    ['not.transferred=true', ['refused', 'unanswered']],
    ['rangOut=true', ['unanswered']],
    ['not.rangOut=true', ['refused', 'ledto']],
    ['hop=10.10.9.21', ['refused']],
    ['hop=SBC1.example.test', ['ledto']],
    ['hop=fe1', ['refused', 'unanswered', 'ledto']],
    ['not.hop=10.10.9.21', ['unanswered', 'ledto']],
    ['refusedBy=10.10.9.21', ['refused']],
    ['refusedBy=fe1', []],
    ['not.refusedBy=10.10.9.21', ['unanswered', 'ledto']],
  ])('are found by %s', async (query, callIds) => {
    expect(await idsOf(query)).toEqual(callIds);
  });

  it.each(['caller=', 'caller=anna ben', 'transferred=false', 'rangOut=yes', 'rangOut=true&not.rangOut=true', 'hop='])(
    'are not found by %s',
    async (query) => {
      expect((await aggregator.get<Problem>(`/api/calls?${query}`, around.operator)).status).toBe(400);
    },
  );

  it('show where they were refused, also where users are hidden', async () => {
    for (const operator of [around.operator, around.plainOperator]) {
      const { body } = await aggregator.get<Call>('/api/calls/refused', operator);
      expect(body.end?.refusedBy).toEqual({ hop: '10.10.9.21:5060', trunk: 'nordtel' });
    }
  });

  it.each(['caller', 'callee', 'not.caller', 'not.callee'])(
    'are found by %s with tokens alone by operators who do not see users',
    async (parameter) => {
      const { status, body } = await aggregator.get<Problem>(
        `/api/calls?${parameter}=anna@example.test`,
        around.plainOperator,
      );
      expect([status, body.code]).toEqual([403, 'may-search-tokens-only']);
      const ids = await idsOf(`${parameter}=anna@example.test`);
      for (const token of [hiding.token('anna'), `sip:${hiding.token('anna')}@example.test`])
        expect(await idsOf(`${parameter}=${token}`, around.plainOperator)).toEqual(ids);
      expect(ids).not.toEqual([]);
    },
  );

  it('have suggestions of their sides in the form that an operator sees', async () => {
    const suggested = async (field: string, operator: string): Promise<string> => {
      const { body } = await aggregator.get<{ items: readonly { text: string }[] }>(
        `/api/suggest?field=${field}`,
        operator,
      );
      return body.items
        .map(({ text }) => text)
        .toSorted()
        .join(' ');
    };
    expect(await suggested('caller', around.operator)).toBe('anna@example.test ben@example.test');
    expect(await suggested('callee', around.operator)).toBe('anna@example.test ben@example.test carl@example.test');
    const tokens = await suggested('caller', around.plainOperator);
    expect(tokens).toContain(hiding.token('anna').toLowerCase());
    expect(tokens).not.toMatch(/anna|ben/);
    expect(await suggested('refusedBy', around.plainOperator)).toBe('10.10.9.21');
  });

  it('are counted by their servers and by those that refused them', async () => {
    const counted = async (by: string): Promise<unknown> => {
      const { body } = await aggregator.get<Counts>(`/api/statistics/streams?${DAY}&by=${by}`, around.plainOperator);
      return Object.fromEntries(body.items.map(({ value, calls }) => [value ?? '', calls]));
    };
    expect(await counted('hop')).toEqual({ fe1: 3, '10.10.9.21': 1, 'sbc1.example.test': 1 });
    expect(await counted('refusedBy')).toEqual({ '10.10.9.21': 1, '': 2 });
  });

  it('count as searches by name, where those are allowed: 30 a minute for all sides together', async () => {
    const allowing = await around.startAggregator({ IDENTITY_SEED: SEED, SEARCH_BY_NAME: 'operator' });
    const statusOf = async (search: string): Promise<number> =>
      (await allowing.get(`/api/calls?${search}`, around.plainOperator)).status;
    const fields = Array.from({ length: 31 }, (_, n) => ['user', 'caller', 'callee'][n % 3]);
    const statuses = await Promise.all(fields.map((field) => statusOf(`${field}=anna@example.test`)));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array<number>(30).fill(200), 429]);
    expect(await statusOf(`caller=${hiding.token('anna')}`)).toBe(200);
  });
});
