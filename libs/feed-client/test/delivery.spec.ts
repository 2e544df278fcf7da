import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@ringdown/testing/eventually';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { collectorAddress } from '../src/collector-address.js';
import { FeedConnection, type FeedConnectionOptions } from '../src/feed-connection.js';
import { secondsToKeepAlive } from './keep-alive.js';
import { RecordingCollector, xml } from './recording-collector.js';

const start: DiagnosticsRecord = {
  version: '1.0',
  connection: { callId: 'c1', frontEnds: ['fe1'], timeStamp: '2026-01-02T03:04:05.0000000Z', conversationId: 'x' },
  events: [{ kind: 'startOrUpdate', mediaType: 'audio', codecs: [] }],
};
/** Longer than a connection is trusted to be open without `100 Continue`. */
const IDLE_MS = 1_100;
const quality: DiagnosticsRecord = {
  version: '1.0',
  connection: { callId: 'c1', frontEnds: ['fe1'] },
  events: [{ kind: 'qualityUpdate', mediaType: 'audio', codecs: [], metrics: { RoundTrip: { value: 20 } } }],
};

describe('FeedConnection', () => {
  let collector: RecordingCollector;
  let connection: FeedConnection;
  let now = 0;

  function connect(more: Partial<FeedConnectionOptions> = {}): FeedConnection {
    const address = collectorAddress(collector.url, defaultProfile);
    return new FeedConnection({ address, frontEnd: 'fe1', profile: defaultProfile, now: () => now, ...more });
  }

  beforeEach(async () => {
    collector = await RecordingCollector.start();
    connection = connect();
  });

  afterEach(async () => {
    connection.close();
    await collector.stop();
  });

  it('requests the configuration before the first record', async () => {
    await connection.send(start);
    expect(collector.received.map(({ path }) => path)).toEqual([
      '/Ringdown/GetConfiguration',
      '/Ringdown/RequestMessage',
    ]);
    expect(collector.received[0]?.body).toContain('<FrontEnd>fe1</FrontEnd>');
  });

  it('posts without "Expect" from the first 417 on, which a proxy answers that knows no expectations', async () => {
    collector.refuseToContinue = 417;
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered' });
    expect(await connection.send(quality)).toMatchObject({ outcome: 'answered' });
    expect(collector.received.map(({ askedToContinue }) => askedToContinue)).toEqual([false, false, false]);
  });

  it('posts with the headers of the specification and waits for "100 Continue"', async () => {
    await connection.send(start);
    expect(collector.received).toHaveLength(2);
    for (const { headers, askedToContinue, body } of collector.received) {
      expect(askedToContinue).toBe(true);
      expect(headers).toMatchObject({
        'content-type': 'text/xml',
        accept: 'text/xml',
        expect: '100-continue',
        'content-length': String(Buffer.byteLength(body)),
      });
    }
  });

  it('uses one connection even if many records are sent at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => connection.send(start)));
    expect(new Set(collector.received.map((each) => each.connection))).toEqual(new Set([1]));
    expect(collector.records).toHaveLength(20);
  });

  it('uses TCP keep-alive each second while it is idle', async () => {
    await connection.send(start);
    const seconds = await eventually('the timer', () => secondsToKeepAlive(Number(new URL(collector.url).port)));
    expect(seconds).toBeLessThanOrEqual(1.1);
  });

  it('numbers its requests like the Count of the replies, starting with the configuration', async () => {
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 2, count: 2 });
    expect(await connection.send(quality)).toMatchObject({ outcome: 'answered', cseq: undefined, count: 3 });
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 4, count: 4 });
    const sent = collector.records.map(({ body }) => readFeedMessage(body, defaultProfile));
    expect(sent).toEqual([
      { kind: 'record', record: { ...start, connection: { ...start.connection, cseq: 2 } } },
      { kind: 'record', record: quality },
      { kind: 'record', record: { ...start, connection: { ...start.connection, cseq: 4 } } },
    ]);
  });

  it.each([
    ['with a namespace', '<r:Answer xmlns:r="urn:x"><r:Count> 7 </r:Count></r:Answer>', 7],
    ['deep inside', '<?xml version="1.0"?><a><b><Count unit="1">7</Count></b></a>', 7],
    ['without a count', '<Response/>', undefined],
    ['empty', '', undefined],
    ['with an invalid count', '<Count>many</Count>', undefined],
  ])('accepts an answer %s', async (_how, body, count) => {
    collector.answer = (response) => xml(response, 200, body);
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 2, count });
  });

  it('reports a refused or failed record, and continues with the next', async () => {
    collector.answer = (response) => xml(response, 400, '<Error><Code>not-xml</Code><Reason>No.</Reason></Error>');
    expect(await connection.send(start)).toMatchObject({
      outcome: 'refused',
      status: 400,
      reason: 'status 400: not-xml No.',
    });
    collector.answer = (response) => xml(response, 503, '');
    expect(await connection.send(start)).toMatchObject({ outcome: 'failed', status: 503, reason: 'status 503' });
    collector.answer = (response) => xml(response, 200, '<Count>4</Count>');
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 4, count: 4 });
    expect(connection.counts).toEqual({ sent: 3, answered: 1, refused: 1, failed: 1, lost: 0, withoutCount: 0 });
  });

  it('loses the records of an outage, pauses, and starts again with the configuration and the first number', async () => {
    await connection.send(start);
    await connection.send(start);
    await collector.stop();
    expect(await connection.send(start)).toMatchObject({ outcome: 'lost' });
    await collector.start();
    now = 49_999;
    expect(await connection.send(start)).toMatchObject({
      outcome: 'lost',
      reason: expect.stringMatching(/a moment ago/),
    });
    expect(collector.received).toHaveLength(3);
    now = 50_000;
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 2, count: 2 });
    expect(collector.received.slice(3).map(({ path }) => path)).toEqual([
      '/Ringdown/GetConfiguration',
      '/Ringdown/RequestMessage',
    ]);
    expect(connection.counts).toEqual({ sent: 5, answered: 3, refused: 0, failed: 0, lost: 2, withoutCount: 0 });
  });

  it('reports an unreachable collector, and pauses before the next request', async () => {
    await collector.stop();
    expect(await connection.open()).toEqual({ ok: false, reason: 'connection refused' });
    await collector.start();
    expect(await connection.send(start)).toMatchObject({ outcome: 'lost' });
    expect(collector.received).toEqual([]);
  });

  it('loses no record when the collector has closed the idle connection', async () => {
    await connection.send(start);
    await sleep(IDLE_MS);
    collector.dropConnections();
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 3 });
    expect(collector.records).toHaveLength(2);
  });

  it('does not send a body that is refused before', async () => {
    await connection.send(start);
    await sleep(IDLE_MS);
    collector.refuseToContinue = 413;
    expect(await connection.send(start)).toMatchObject({ outcome: 'refused', status: 413 });
    collector.refuseToContinue = undefined;
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered' });
    expect(collector.records).toHaveLength(2);
  });

  it('waits for "100 Continue" as long as configured, or not at all', async () => {
    collector.ignoresExpect = true;
    connection.close();
    connection = connect({ continueWaitMs: 60_000, timeoutMs: 300, resumeAfterMs: 0 });
    expect(await connection.open()).toEqual({ ok: false, reason: 'no answer within the time limit' });
    connection.close();
    connection = connect({ continueWaitMs: 0 });
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 2, count: 2 });
    expect(collector.records[0]?.headers).toMatchObject({ expect: '100-continue' });
  });

  it.each([
    ['does not wait for "100 Continue" if the collector has just accepted a record', 0, '', 'answered'],
    ['waits for "100 Continue" after a pause in which the connection may have been closed', IDLE_MS, '', 'lost'],
    ['waits for "100 Continue" with a large body, which may be refused', 0, 'a=x\r\n'.repeat(10_000), 'lost'],
  ])('%s', async (_what, pauseMs, sdp, outcome) => {
    const tried = async (): Promise<string> => {
      collector.ignoresExpect = false;
      connection.close();
      connection = connect({ continueWaitMs: 60_000, timeoutMs: 1_000 });
      await connection.open();
      // From here on, `100 Continue` is never sent.
      collector.ignoresExpect = true;
      await sleep(pauseMs);
      return (await connection.send({ ...start, rawSdp: `v=0\r\n${sdp}` })).outcome;
    };
    // A busy machine sometimes adds a pause where there should be none.
    expect(await eventually(`a record that is ${outcome}`, async () => (await tried()) === outcome)).toBe(true);
  });

  it('keeps its connection when "100 Continue" or a refusal follows the body', async () => {
    connection.close();
    connection = connect({ continueWaitMs: 0 });
    await connection.send(start);
    collector.refuseToContinue = 413;
    expect(await connection.send(start)).toMatchObject({ outcome: 'refused', status: 413 });
    collector.refuseToContinue = undefined;
    expect(await connection.send(start)).toMatchObject({ outcome: 'answered', cseq: 4 });
  });

  it.each([
    ['never answers', () => undefined],
    ['closes the connection', (response: Parameters<RecordingCollector['answer']>[0]) => response.destroy()],
    [
      'never ends its answer',
      (response: Parameters<RecordingCollector['answer']>[0]) => void response.writeHead(200).write('<Count>'),
    ],
    [
      'answers with too long a body',
      (response: Parameters<RecordingCollector['answer']>[0]) => void response.writeHead(200).end('x'.repeat(70_000)),
    ],
  ])('treats a collector that %s as an outage', async (_how, answer) => {
    connection.close();
    connection = connect({ timeoutMs: 200, resumeAfterMs: 50 });
    collector.answer = answer;
    expect(await connection.send(start)).toMatchObject({ outcome: 'lost' });
    collector.answer = (response) => xml(response, 200, '<Count>1</Count>');
    const resumed = await eventually('an answer in time', async () => {
      now += 50;
      const delivery = await connection.send(start);
      return delivery.outcome === 'answered' && delivery;
    });
    expect(resumed.cseq).toBe(2);
  });
});

describe('the address of a collector', () => {
  it.each([
    ['http://host:8080', 'http://host:8080/Ringdown/RequestMessage', 'http://host:8080/Ringdown/GetConfiguration'],
    ['https://host/Feed/CallInfo', 'https://host/Feed/CallInfo', 'https://host/Feed/GetConfiguration'],
  ])('is read from %s', (text, records, configuration) => {
    const address = collectorAddress(text, defaultProfile);
    expect([address.records.href, address.configuration.href]).toEqual([records, configuration]);
  });

  it.each(['', 'localhost:8080', 'ftp://host/x', '/path'])('is not read from %j', (text) => {
    expect(() => collectorAddress(text, defaultProfile)).toThrow('must be a URL like http://localhost:8080');
  });

  it('is rejected with a password, because the feed has none', () => {
    expect(() => collectorAddress('http://me:secret@host', defaultProfile)).toThrow('must not contain a user name');
  });
});
