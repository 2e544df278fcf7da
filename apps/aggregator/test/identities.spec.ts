import { RejectedRecords } from '@ringdown/feed-bus';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { eventually } from '@ringdown/testing/eventually';
import type { Call } from '../src/calls/call.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

const SEED = 'seed of these very tests';
const hiding = new IdentityHiding(SEED);
const ANNA = hiding.token('anna');
/** Not the ids of endpoints, `anna1`: real ones do not contain names. */
const NAMES = /(?:anna|ben|emil)(?!\d)/i;
const ROUTES = ['/api/calls?callId=Told1', '/api/calls/Told1', '/api/calls/Told1/timeline', '/api/rejected-records'];

/** One call with a user in every place where one is possible. */
function talkative(callId: string): string {
  const error = `<Error><EndPoint><URI>sip:anna@example.test</URI><Nick><Owner>anna</Owner></Nick></EndPoint><Properties>
    <ResponseCode Code="403">Forbidden</ResponseCode>
    <VendorDiagnostics>51004;reason="by anna@example.test";UserName="anna";source="fe1.example.test"</VendorDiagnostics>
    </Properties></Error>`;
  const sdp = '<RawSDP>v=0\r\no=anna 1 1 IN IP4 10.0.0.1\r\nc=IN IP4 10.0.0.1\r\n</RawSDP>';
  const header = '<ConferenceURI>sip:anna@example.test;gruu;opaque=app:conf:focus:id:X1</ConferenceURI>';
  const at = '2026-03-02T10:00:01Z';
  return startXml({ callId, header, at }).replace(/(<\/[^<>/]+>\s*)$/, `${error}${sdp}$1`);
}

describe('the users in calls', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({ IDENTITY_SEED: SEED });
    await around.publish(published(talkative('Told1')), published(startXml({ callId: 'other1', from: 'dora' })));
    for (const callId of ['Told1', 'other1']) await around.call(aggregator, callId);
    await new RejectedRecords(around.bus).store({
      receivedAt: Date.now(),
      remoteAddress: '192.0.2.9',
      path: '/from/anna@example.test',
      code: 'not-xml',
      reason: 'No text may stand here: anna@example.test',
      body: 'anna',
    });
  });
  afterAll(() => around.stop());

  const text = async (path: string, token: string): Promise<string> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${aggregator.origin}${path}`, { headers });
    expect(answer.status).toBe(200);
    return answer.text();
  };

  it('are found by parts of their names only by operators who may see them', async () => {
    const found = async (q: string, token: string): Promise<readonly string[]> => {
      const { body } = await aggregator.get<Page<Call>>(`/api/calls?q=${encodeURIComponent(q)}`, token);
      return body.items.map(({ callId }) => callId).toSorted();
    };
    for (const q of ['nna', 'sip:anna', 'X1;gruu', 'ann ben']) expect(await found(q, around.plainOperator)).toEqual([]);
    expect(await found('nna@', around.operator)).toEqual(['Told1']);
    expect(await found('dora', around.operator)).toEqual(['other1']);
    expect(await found(ANNA.slice(3), around.plainOperator)).toEqual(['Told1']);
    expect(await found('51004', around.plainOperator)).toEqual(['Told1']);
    expect(await found('fe1.example', around.plainOperator)).toEqual(['Told1', 'other1']);
  });

  it.each(ROUTES)('are hidden in %s, and shown to operators who may see them', async (path) => {
    const hidden = await text(path, around.plainOperator);
    expect(hidden).toContain(ANNA);
    expect(hidden).not.toMatch(NAMES);
    const shown = await text(path, around.operator);
    expect(shown).toContain('anna@example.test');
    expect(shown).not.toContain(ANNA);
    expect(await text(`${path}${path.includes('?') ? '&' : '?'}identities=hidden`, around.operator)).toBe(hidden);
    expect(await text(`${path}${path.includes('?') ? '&' : '?'}identities=shown`, around.operator)).toBe(shown);
  });

  it('are hidden in records, texts and SDP, and the rest of the call stays unchanged', async () => {
    interface Shown extends Call {
      readonly records: readonly { readonly id: string; readonly xml: string }[];
    }
    const hidden = (await aggregator.get<Shown>('/api/calls/Told1', around.plainOperator)).body;
    const shown = (await aggregator.get<Shown>('/api/calls/Told1', around.operator)).body;
    const xml = hidden.records[0]?.xml ?? '';
    expect(xml).toContain(`o=${ANNA} 1 1 IN IP4 10.0.0.1`);
    expect(xml).toContain(`sip:${ANNA}@example.test;gruu;opaque=app:conf:focus:id:X1`);
    expect(xml).toContain(`<Owner>${ANNA}</Owner>`);
    expect(xml).not.toContain('Nick');
    expect(hidden.errors[0]?.diagnostics).toMatchObject({
      reason: `by ${ANNA}@example.test`,
      text: `51004;reason="by ${ANNA}@example.test";UserName="${ANNA}";source="fe1.example.test"`,
    });
    expect(hidden).toMatchObject({
      callId: 'Told1',
      conferenceId: 'X1',
      parties: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }],
    });
    expect(Object.keys(hidden)).toEqual(Object.keys(shown));
    expect(shown.records[0]?.xml).toBe(talkative('Told1'));
  });

  it('are not shown in bodies of rejected records to operators who may not see users', async () => {
    interface Rejected {
      readonly body: string | null;
      readonly remoteAddress: string;
    }
    const [hidden, shown] = await Promise.all(
      [around.plainOperator, around.operator].map((token) =>
        aggregator.get<Page<Rejected>>('/api/rejected-records', token),
      ),
    );
    expect(hidden?.body.items).toEqual([
      expect.objectContaining({
        body: null,
        remoteAddress: '192.0.2.9',
        path: `/from/${ANNA}@example.test`,
        reason: `No text may stand here: ${ANNA}@example.test`,
      }),
    ]);
    expect(shown?.body.items[0]?.body).toBe('anna');
  });

  it('are hidden in one live stream and shown in another at the same time', async () => {
    const begin = async (token: string, query = ''): Promise<() => string> => {
      const headers = { authorization: `Bearer ${token}` };
      const { body } = await fetch(`${aggregator.origin}/api/calls/stream${query}`, { headers });
      let seen = '';
      void body
        ?.pipeThrough(new TextDecoderStream())
        .pipeTo(new WritableStream({ write: (piece) => void (seen += piece) }));
      return () => seen;
    };
    const [plain, revealing, modest] = await Promise.all([
      begin(around.plainOperator),
      begin(around.operator),
      begin(around.operator, '?identities=hidden'),
    ]);
    await around.publish(published(startXml({ callId: 'fresh1', from: 'emil' })));
    for (const [seen, name] of [
      [plain, hiding.token('emil')],
      [modest, hiding.token('emil')],
      [revealing, 'emil'],
    ] as const)
      await eventually('the change', () => seen().includes(`sip:${name}@example.test`));
    for (const seen of [plain, modest]) {
      expect(seen()).toContain(`sip:${ANNA}@example.test`);
      expect(seen()).not.toMatch(NAMES);
    }
    expect(revealing()).toContain('sip:anna@example.test');
  });

  it('are found by tokens alone by operators who do not see users, and also by names by others', async () => {
    const idsOf = async (user: string): Promise<readonly string[]> => {
      const path = `/api/calls?user=${encodeURIComponent(user)}&to=2026-04-01T00:00:00Z`;
      return (await aggregator.get<Page<Call>>(path, around.plainOperator)).body.items.map(({ callId }) => callId);
    };
    for (const user of [`sip:${ANNA}@example.test`, `${ANNA.toLowerCase()}@EXAMPLE.test`, ANNA, `sip:${ANNA}`])
      expect(await idsOf(user)).toEqual(['Told1']);
    const byName = `user=${encodeURIComponent('sip:anna@example.test')}&to=2026-04-01T00:00:00Z`;
    const { body } = await aggregator.get<Page<Call>>(`/api/calls?${byName}`, around.operator);
    expect(body.items.map(({ callId }) => callId)).toEqual(['Told1']);
    expect(await idsOf(`sip:${ANNA}@elsewhere.test`)).toEqual([]);
    expect(await idsOf(`sip:${hiding.token('dora')}@example.test`)).toEqual(['other1']);
  });

  it.each([
    '/api/calls?',
    '/api/calls.csv?',
    '/api/calls.ndjson?',
    '/api/statistics/streams?',
    '/api/statistics/load?',
    '/api/statistics/metrics?metric=loss&',
  ])('cannot be searched by name in %s by operators who do not see users', async (path) => {
    const wanted = [
      'user=sip:anna@example.test',
      'user=sip:nobody@example.test',
      'user=anna',
      `userAgent=${encodeURIComponent("Anna's phone")}`,
    ];
    for (const each of wanted) {
      const { status, body } = await aggregator.get<Problem>(path + each, around.plainOperator);
      expect([each, status, body.code]).toEqual([each, 403, 'may-search-tokens-only']);
    }
  });

  it.each([...ROUTES, '/api/calls/stream'])('are refused by %s to operators who may not see them', async (path) => {
    const wanted = `${path}${path.includes('?') ? '&' : '?'}identities=shown`;
    const { status, body } = await aggregator.get<Problem>(wanted, around.plainOperator);
    expect([status, body.code]).toEqual([403, 'may-not-reveal']);
  });

  it.each([...ROUTES, '/api/calls/stream'])('get 400 from %s for an invalid identities value', async (path) => {
    for (const wrong of ['identities=all', 'identities=', 'identities=hidden&identities=shown', 'nonsense=1']) {
      const wanted = `${path}${path.includes('?') ? '&' : '?'}${wrong}`;
      const { status, body } = await aggregator.get<Problem>(wanted, around.operator);
      expect([status, body.code]).toEqual([400, 'bad-parameter']);
    }
  });

  it('are found by other tokens when the seed has changed', async () => {
    const another = new IdentityHiding('another seed of these tests');
    await around.stopAggregators();
    aggregator = await around.startAggregator({
      IDENTITY_SEED: 'another seed of these tests',
      TIMEOUT_SWEEP_SECONDS: '1',
    });
    const found = async (token: string): Promise<number> => {
      const path = `/api/calls?user=sip:${token}@example.test&callId=Told1`;
      return (await aggregator.get<Page<Call>>(path, around.plainOperator)).body.items.length;
    };
    await eventually('the call by its new token', async () => (await found(another.token('anna'))) === 1);
    expect(await found(ANNA)).toBe(0);
  });
});
