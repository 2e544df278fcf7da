import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { postHead, RawConnection } from './raw-connection.js';
import { RunningCollector, startRecord } from './running-collector.js';

/** A whole request that must never be treated as one: it is where only a body, or nothing, is allowed. */
function hidden(): string {
  const xml = startRecord({ callId: 'smuggled' });
  return postHead({ 'Content-Length': xml.length }) + xml;
}

function post(headers: string, rest: string): string {
  return `POST /Ringdown/RequestMessage HTTP/1.1\r\nHost: collector\r\nContent-Type: text/xml\r\n${headers}\r\n\r\n${rest}`;
}

const record = startRecord({ callId: 'outer' });
const chunked = `${record.length.toString(16)}\r\n${record}\r\n0\r\n\r\n`;

const AMBIGUOUS: readonly [string, string][] = [
  ['length and chunks', post(`Content-Length: ${chunked.length}\r\nTransfer-Encoding: chunked`, chunked)],
  ['chunks and length', post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `5c\r\n`)],
  ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${record.length}`, record)],
  ['a list of lengths', post(`Content-Length: ${record.length}, ${record.length}`, record)],
  ['a length with a sign', post(`Content-Length: +${record.length}`, record)],
  ['a negative length', post('Content-Length: -1', record)],
  ['a hexadecimal length', post('Content-Length: 0x10', record)],
  ['a length with a fraction', post('Content-Length: 10.0', record)],
  ['a length that no number holds', post('Content-Length: 99999999999999999999', record)],
  ['a length with a space in front of the colon', post(`Content-Length : ${record.length}`, record)],
  ['chunks with a space in front of the colon', post('Transfer-Encoding : chunked', chunked)],
  ['chunks that are not the last encoding', post('Transfer-Encoding: chunked, identity', chunked)],
  ['an encoding that is nearly chunks', post('Transfer-Encoding: xchunked', chunked)],
  ['chunks in quotes', post('Transfer-Encoding: "chunked"', chunked)],
  ['chunks behind a control character', post('Transfer-Encoding: \u000bchunked', chunked)],
  ['chunks in a folded line', post('Transfer-Encoding:\r\n chunked', chunked)],
  ['a folded header', post(`X-Folded: a\r\n b\r\nContent-Length: ${record.length}`, record)],
  ['a bare line feed between headers', post(`X-A: b\nContent-Length: ${record.length}`, record)],
  ['a bare carriage return in a header', post(`X-A: b\rContent-Length: ${record.length}`, record)],
  ['a NUL in a header', post(`X-A: b\0\r\nContent-Length: ${record.length}`, record)],
  ['a header without a name', post(`: b\r\nContent-Length: ${record.length}`, record)],
  ['a chunk size that overflows', post('Transfer-Encoding: chunked', `fffffffffffffffff\r\n${record}`)],
  ['a chunk size with 0x', post('Transfer-Encoding: chunked', `0x5\r\nhello\r\n0\r\n\r\n`)],
  ['a negative chunk size', post('Transfer-Encoding: chunked', `-5\r\nhello\r\n0\r\n\r\n`)],
  ['a chunk without its end', post('Transfer-Encoding: chunked', `5\r\nhelloXX0\r\n\r\n`)],
  ['a chunk size with a bare line feed', post('Transfer-Encoding: chunked', `5\nhello\r\n0\r\n\r\n`)],
  ['a chunk extension with a bare line feed', post('Transfer-Encoding: chunked', `5;a\nb\r\nhello\r\n0\r\n\r\n`)],
  ['another protocol', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
  ['a version that is none', `POST / HTTP/1.9\r\nHost: a\r\nContent-Length: 0\r\n\r\n`],
];

describe('a request that proxies and collectors might parse differently', () => {
  const started = new Started();
  let collector: RunningCollector;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    collector = started.add(await RunningCollector.start(nats.url));
  });
  afterAll(() => started.stopAll());

  async function storedCallIds(): Promise<readonly string[]> {
    return (await collector.stored()).map(({ record: { connection } }) => connection.callId);
  }

  it.each(AMBIGUOUS)('%s: is rejected as a whole, with everything that follows', async (_what, request) => {
    const connection = await RawConnection.open(collector.port);
    connection.send(request + hidden());
    const answer = await connection.receivesToTheEnd();
    expect(answer).toMatch(/^HTTP\/1\.1 (?:4\d\d|501) [^]*connection: close/i);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(await storedCallIds()).toEqual([]);
  });

  // The first one is read without Node's parser (ADR 0119).
  it.each(AMBIGUOUS)('%s: is rejected behind a record on the same connection, too', async (_what, request) => {
    const connection = await RawConnection.open(collector.port);
    connection.send(post(`Content-Length: 0`, ''));
    await connection.receives(/<Count>/);
    connection.send(request + hidden());
    const answer = await connection.receivesToTheEnd();
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 (?:4\d\d|501) [^]*connection: close/i);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(2);
    expect(await storedCallIds()).toEqual([]);
  });

  it.each<[string, string, number]>([
    ['refused before its body came', postHead({ 'Content-Length': 500_000, Expect: '100-continue' }) + hidden(), 413],
    ['of an expectation that no server meets', postHead({ 'Content-Length': 9, Expect: 'miracles' }) + hidden(), 417],
  ])('does not turn what follows a request %s into another request', async (_what, request, status) => {
    const connection = await RawConnection.open(collector.port);
    connection.send(request);
    const answer = await connection.receives(/<\/Error>/);
    connection.end();
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await collector.post('');
    expect(await storedCallIds()).toEqual([]);
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('does not turn the body of a %s into a request', async (method) => {
    const connection = await RawConnection.open(collector.port);
    const body = hidden();
    const head = `${method} / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: ${body.length}\r\n\r\n`;
    connection.send(`${head}${body}${postHead({ 'Content-Length': 0 })}`);
    const answers = await connection.receives(/<Count>/);
    connection.end();
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['405', '200']);
    expect(await storedCallIds()).toEqual([]);
  });

  it('is not offered a change of the protocol', async () => {
    const connection = await RawConnection.open(collector.port);
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
    connection.send(post(`${upgrade}Content-Length: 0`, ''));
    const answer = await connection.receives(/<Count>/);
    connection.end();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toMatch(/101|upgrade/i);
  });

  it('does not open a tunnel', async () => {
    const connection = await RawConnection.open(collector.port);
    connection.send(`CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n${hidden()}`);
    expect(await connection.receivesToTheEnd()).not.toContain(' 200 ');
    expect(await storedCallIds()).toEqual([]);
  });

  it('is accepted when its body consists of valid chunks alone', async () => {
    const connection = await RawConnection.open(collector.port);
    connection.send(post('Transfer-Encoding: chunked', chunked));
    expect(await connection.receives(/<Count>/)).toMatch(/^HTTP\/1\.1 200 /);
    connection.end();
    expect(await storedCallIds()).toEqual(['outer']);
  });
});
