import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { postHead, RawConnection } from './raw-connection.js';
import { makeFeedStreams } from './feed-owner.js';
import { RunningCollector, startRecord } from './running-collector.js';

/** Each quote takes two bytes in JSON, once in the document and once in the parsed record; none is truncated. */
const unstorable = `<EstimatedBandwidth Codec='${'"'.repeat(1_000)}'/>`.repeat(380);

describe('a collector with bad input', () => {
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done): void {
      log += chunk.toString();
      done();
    },
  });
  let nats: TestNats;
  let collector: RunningCollector;

  beforeAll(async () => {
    nats = await startNats();
    await makeFeedStreams(nats.url);
    collector = await RunningCollector.start(nats.url, {}, pino({ level: 'info' }, sink));
  });
  afterEach(async () => {
    // The next good record is accepted, regardless of what came before.
    expect(await collector.count(startRecord())).toBeGreaterThan(0);
    expect(log).toBe('');
  });
  afterAll(async () => {
    await collector.stop();
    await nats.stop();
  });

  it.each<[string, string | Uint8Array, number, string]>([
    ['words', 'hello', 400, 'not-xml'],
    ['JSON', '{"a":1}', 400, 'not-xml'],
    ['white space', ' \n', 400, 'not-xml'],
    ['a record cut off', startRecord().slice(0, -9), 400, 'not-xml'],
    ['two records', startRecord() + startRecord(), 400, 'not-xml'],
    ['bytes that are not text', Buffer.from([0x3c, 0xff, 0xfe, 0x00]), 400, 'bad-encoding'],
    ['a document type', `<!DOCTYPE x>${startRecord()}`, 400, 'doctype'],
    ['other XML', '<html/>', 400, 'unknown-root'],
    ['a record without CallId', startRecord({ callId: ' ' }), 400, 'missing-call-id'],
    ['endless nesting', `<Diagnostics>${'<a>'.repeat(60_000)}`, 400, 'too-deep'],
    ['endless elements', `<Diagnostics>${'<a/>'.repeat(60_000)}`, 400, 'too-many-elements'],
    ['400,001 bytes', 'x'.repeat(400_001), 413, 'too-large'],
    ['three megabytes', new Uint8Array(3_000_000), 413, 'too-large'],
    ['more than the bus can hold', startRecord({ filling: unstorable }), 413, 'too-large'],
  ])('replies to %s with the right status and code', async (_what, body, status, code) => {
    const response = await collector.post(body);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'text/xml; charset=utf-8']);
    expect(text).toMatch(new RegExp(`^<Error><Code>${code}</Code><Reason>.+</Reason></Error>$`, 's'));
  });

  it('replies to other methods with 405 and the allowed method', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', 'QUERY']) {
      const response = await fetch(`${collector.base}/LDL/RequestMessage`, { method });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  it('does not read other types', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'rubbish']) {
      const response = await collector.post(startRecord(), { 'content-type': type });
      expect([type, response.status]).toEqual([type, 415]);
      expect(await response.text()).toContain('<Code>unsupported-media-type</Code>');
    }
    const compressed = await collector.post(gzipSync(startRecord()), { 'content-encoding': 'gzip' });
    expect([compressed.status, compressed.headers.get('accept-encoding')]).toEqual([415, 'identity']);
  });

  it('applies the same limit to a chunked body', async () => {
    const body = new ReadableStream({
      start(controller): void {
        for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(50_000));
        controller.close();
      },
    });
    const response = await fetch(collector.base, {
      method: 'POST',
      headers: { 'content-type': 'text/xml' },
      body,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });

  it('aborts an endless body after some megabytes', async () => {
    const connection = await RawConnection.open(collector.port);
    connection.send(postHead({ 'Content-Length': 1_000_000_000 }));
    const piece = 'x'.repeat(1_000_000);
    await eventually('the end of patience', () => {
      connection.send(piece);
      return connection.received !== '';
    });
    expect(connection.received).toContain('HTTP/1.1 413');
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', /^HTTP\/1\.1 400 .*<Code>bad-request</s],
    ['two lengths', postHead({ 'Content-Length': '3\r\nContent-Length: 4' }), /^HTTP\/1\.1 400/],
    ['length and chunks', postHead({ 'Content-Length': 3, 'Transfer-Encoding': 'chunked' }), /^HTTP\/1\.1 400/],
    ['a broken chunk', `${postHead({ 'Transfer-Encoding': 'chunked' })}zz\r\n`, /^HTTP\/1\.1 400/],
    ['an endless head', postHead({ 'X-Long': 'x'.repeat(20_000) }), /^HTTP\/1\.1 431 .*<Code>headers-too-large</s],
    ['no Host', 'POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n', /^HTTP\/1\.1 400 .*<Code>bad-request<.* no Host/s],
    [
      'two Hosts',
      postHead({ 'X-A': '1\r\nHost: other' }),
      /^HTTP\/1\.1 400 .*<Code>bad-request<.* more than one Host/s,
    ],
  ])('rejects %s and closes the connection', async (_what, text, answer) => {
    const connection = await RawConnection.open(collector.port);
    connection.send(text);
    expect(await connection.receivesToTheEnd()).toMatch(answer);
  });

  it('counts rejected bodies and keeps them for the operator, truncated to 16 KB', async () => {
    const before = await collector.metric('ringdown_collector_refused_total{code="unknown-root"}');
    const response = await collector.post(`<evil>${'x'.repeat(20_000)}</evil>`, {}, '/LDL/RequestMessage');
    expect(response.status).toBe(400);
    const [kept] = await eventually('the refused body', async () => {
      const rejected = await collector.rejected();
      return rejected[0]?.body.startsWith('<evil>') && rejected;
    });
    expect(kept).toMatchObject({
      code: 'unknown-root',
      path: '/LDL/RequestMessage',
      remoteAddress: '127.0.0.1',
      reason: expect.stringContaining('"evil"'),
    });
    expect(kept?.body).toHaveLength(16_384);
    expect(kept?.receivedAt).toBeGreaterThan(Date.now() - 60_000);
    expect(await collector.metric('ringdown_collector_refused_total{code="unknown-root"}')).toBe(before + 1);
  });

  it('has not stored any of these as a record', async () => {
    const stored = await collector.stored();
    expect(stored.every(({ record }) => record.connection.callId.startsWith('call-'))).toBe(true);
  });
});
