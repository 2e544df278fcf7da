import { at, header, listAt } from '../src/answer.js';
import { FeedClient, type FeedRequest } from '../src/feed-client.js';
import { Operator } from '../src/operator.js';
import { RawConnection } from '../src/raw-connection.js';
import { CallRecords } from '../src/records.js';
import { callSides } from '../src/sides.js';
import { unique, until } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

describe('interface B with wrong requests', () => {
  const feed = new FeedClient();
  const web = new WebClient();
  const { names, collectorUrl } = feed.system;
  const root = names.recordRoot;
  let operator: Operator;

  beforeAll(async () => {
    operator = await Operator.signIn(web);
  });
  afterAll(async () => {
    feed.close();
    await web.close();
  });

  function goodRecord(callId = unique('good-')): string {
    return new CallRecords({
      names,
      callId,
      frontEnd: unique('fe-'),
      ...callSides(callId),
      startsAt: Date.now(),
    }).start();
  }

  /** Checks that the next good request works. */
  afterEach(async () => {
    expect(await feed.post(goodRecord())).toBe(1);
  });

  const record = (inside: string): string => `<${root} Version="1.0">${inside}</${root}>`;
  const connection = (inside: string): string => record(`<ConnectionInfo>${inside}</ConnectionInfo>`);
  const codeOf = (answer: { body: string }): string | undefined => children(readXml(answer.body), 'Code')[0]?.text;

  it.each<[string, string | Buffer, string]>([
    ['text that is not XML', 'hello', 'not-xml'],
    ['JSON', '{"CallId":"1"}', 'not-xml'],
    ['blanks', ' \n ', 'not-xml'],
    ['a truncated record', goodRecordStart(), 'not-xml'],
    ['two roots', `${connection('<CallId>a</CallId>')}<${root}/>`, 'not-xml'],
    ['an undeclared entity', connection('<CallId>&boom;</CallId>'), 'not-xml'],
    [
      'a document type',
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${connection('<CallId>a</CallId>')}`,
      'doctype',
    ],
    ['another root', '<html/>', 'unknown-root'],
    ['a record without connection', record(''), 'missing-call-id'],
    ['a record without CallId', connection('<FrontEnd>fe</FrontEnd>'), 'missing-call-id'],
    ['an empty CallId', connection('<CallId> </CallId>'), 'missing-call-id'],
    ['an endless CallId', connection(`<CallId>${'a'.repeat(600)}</CallId>`), 'bad-value'],
    ['bytes that are not UTF-8', Buffer.from([0x3c, 0x61, 0xff, 0xfe, 0x2f, 0x3e]), 'bad-encoding'],
    ['another encoding', `<?xml version="1.0" encoding="utf-16"?>${connection('<CallId>a</CallId>')}`, 'bad-encoding'],
    ['depth', connection(`<CallId>a</CallId>${'<a>'.repeat(100)}${'</a>'.repeat(100)}`), 'too-deep'],
    ['width', connection(`<CallId>a</CallId>${'<a/>'.repeat(5_000)}`), 'too-many-elements'],
  ])('rejects %s', async (_what, body, code) => {
    const answer = await feed.call('postRecord', { body });
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
  });

  it.each<[string, Omit<FeedRequest, 'body'>, number, string]>([
    ['JSON by its type', { headers: { 'content-type': 'application/json' } }, 415, 'unsupported-media-type'],
    ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 415, 'unsupported-encoding'],
  ])('rejects %s before the body is sent', async (_what, wanted, status, code) => {
    const answer = await feed.call('postRecord', { ...wanted, body: goodRecord() });
    expect([answer.status, codeOf(answer), answer.continued]).toEqual([status, code, false]);
  });

  it('rejects bodies that are too large, announced or not', async () => {
    const body = connection(`<CallId>a</CallId><Big>${'x'.repeat(1_000_000)}</Big>`);
    const announced = await feed.call('postRecord', { body });
    expect([announced.status, codeOf(announced), announced.continued]).toEqual([413, 'too-large', false]);
    const headers = { expect: undefined, 'content-length': undefined, 'transfer-encoding': 'chunked' };
    const chunked = await feed.call('postRecord', { headers, body });
    expect([chunked.status, codeOf(chunked)]).toEqual([413, 'too-large']);
  });

  it('rejects another expectation', async () => {
    const raw = await RawConnection.open(collectorUrl);
    raw.write(
      `POST ${feed.recordsPath} HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: 5\r\nExpect: a-miracle\r\n\r\nhello`,
    );
    expect(await raw.read(/^HTTP\/1\.1 \d+/)).toBe('HTTP/1.1 417');
    raw.close();
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('rejects the method %s', async (method) => {
    const headers = { expect: undefined, 'content-type': undefined };
    const answer = await feed.misuse('feed', { method, headers, body: '' });
    expect([answer.status, header(answer, 'allow'), codeOf(answer)]).toEqual([405, 'POST', 'method-not-allowed']);
  });

  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('answers %s with 400 and closes the connection', async (_what, bytes) => {
    const raw = await RawConnection.open(collectorUrl);
    raw.write(bytes);
    expect(await raw.read(/^HTTP\/1\.[01] \d+/)).toMatch(/ 400$/);
    expect(await raw.closed()).toBe(true);
  });

  it('stores rejected records where an operator sees them', async () => {
    const marker = unique('marker-');
    await feed.call('postRecord', { path: `/${marker}/RequestMessage`, body: `<broken>${marker}` });
    const kept = await until('the refused body', async () => {
      const list = listAt(await operator.read('listRejectedRecords', '/api/rejected-records?limit=50'), 'items');
      return list.find((item) => String(at(item, 'body')).includes(marker));
    });
    expect(kept).toMatchObject({
      code: 'unknown-root',
      path: `/${marker}/RequestMessage`,
      body: `<broken>${marker}`,
      reason: expect.stringMatching(/./),
    });
  });

  function goodRecordStart(): string {
    return goodRecord().slice(0, 200);
  }
});
