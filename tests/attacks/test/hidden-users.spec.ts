import { eventually } from '@ringdown/testing/eventually';
import { runningSystem } from '../src/running-system.js';

const system = runningSystem();
const plainOperator = system.addPerson('dave', 'operator');
const CALL = '0123456789abcdef';
/** The user in every text of the records. */
const SECRET = /zaphod|beeblebrox/i;
/** Token of an operator who may not see users. */
let operator: string;
/** Token of a user who may see users. */
let revealer: string;

const DIAGNOSTICS =
  '51004;reason="Ended by Zaphod Beeblebrox";dn="Zaphod";calling=zaphod;targetSip="zaphod";Initiator="Beeblebrox";zaphod=1;source="fe1.example.test"';
const SDP =
  'v=0\r\no=zaphod 1 1 IN IP4 192.0.2.1\r\ns=Zaphod\r\nu=http://zaphod\r\nc=IN IP4 192.0.2.1\r\na=x-zaphod:1\r\na=msid:zaphod 1\r\na=ssrc:1 cname:zaphod\r\n';
const RECORD = `<Diagnostics Version="1.0"><ConnectionInfo><CallId>${CALL}</CallId><FrontEnd>fe1.example.test</FrontEnd>
  <TimeStamp>${new Date().toISOString()}</TimeStamp></ConnectionInfo>
  <Error><EndPoint><Id>1</Id><URI>sip:zaphod@example.test</URI><UserAgent>Zaphod's Phone/1.0</UserAgent><Zaphod>Beeblebrox</Zaphod></EndPoint>
  <Properties><ResponseCode Code="486">Zaphod is busy</ResponseCode><VendorDiagnostics>${DIAGNOSTICS}</VendorDiagnostics></Properties></Error>
  <RawSDP>${SDP}</RawSDP><Note Of="Zaphod">by Beeblebrox</Note></Diagnostics>`;

beforeAll(async () => {
  operator = await system.tokenOf(plainOperator);
  revealer = await system.client.signIn('carol');
  expect((await system.client.post(RECORD)).status).toBe(200);
  expect((await system.client.post('<Zaphod>Beeblebrox</Zaphod>', '/zaphod/beeblebrox')).status).toBe(400);
  await eventually('the call', async () => (await system.client.as(revealer, `/api/calls/${CALL}`)).status === 200);
});

describe('an operator who may not see users', () => {
  it.each([
    '/api/calls',
    `/api/calls/${CALL}`,
    `/api/calls/${CALL}/timeline`,
    `/api/calls/${CALL}/surroundings`,
    '/api/calls.csv',
    '/api/calls.ndjson',
    '/api/rejected-records',
    '/api/statistics/streams?by=userAgent',
    '/api/front-ends',
  ])('finds no name at %s, whatever text contains it', async (path) => {
    const { status, text } = await system.client.as(operator, path);
    expect(status).toBe(200);
    expect(text).not.toMatch(SECRET);
  });

  it('sees what is needed to understand the same call', async () => {
    const { text } = await system.client.as(operator, `/api/calls/${CALL}`);
    for (const known of ['51004', 'fe1.example.test', 'Ended by', '192.0.2.1', '486']) expect(text).toContain(known);
    expect((await system.client.as(revealer, `/api/calls/${CALL}`)).text).toMatch(SECRET);
  });

  it('learns nothing from a search for a name, and finds calls by the token in the response', async () => {
    for (const user of ['sip:zaphod@example.test', 'zaphod', 'sip:nobody@example.test']) {
      const answer = await system.client.as(operator, `/api/calls?user=${encodeURIComponent(user)}`);
      expect([answer.status, Object(JSON.parse(answer.text)).code]).toEqual([403, 'may-search-tokens-only']);
    }
    const [, token = ''] =
      /sip:([\dA-F]{16})@example.test/.exec((await system.client.as(operator, '/api/calls')).text) ?? [];
    for (const user of [token, `sip:${token}@example.test`]) {
      expect((await system.client.as(operator, `/api/calls?user=${encodeURIComponent(user)}`)).text).toContain(CALL);
    }
    expect((await system.client.as(revealer, '/api/calls?user=sip:zaphod@example.test')).text).toContain(CALL);
  });
});
