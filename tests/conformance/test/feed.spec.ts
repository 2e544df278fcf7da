import { at, json } from '../src/answer.js';
import { Operator } from '../src/operator.js';
import { FeedClient } from '../src/feed-client.js';
import { RawConnection } from '../src/raw-connection.js';
import { CallRecords, type RecordOptions } from '../src/records.js';
import { callSides } from '../src/sides.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

describe('the diagnostics feed (interface B)', () => {
  const feed = new FeedClient();
  const web = new WebClient();
  const { names, collectorUrl } = feed.system;
  let operator: Operator;

  beforeAll(async () => {
    operator = await Operator.signIn(web);
  });
  afterAll(async () => {
    feed.close();
    await web.close();
  });

  function newCall(more: Partial<RecordOptions> = {}): CallRecords {
    const callId = unique('conformance-');
    return new CallRecords({
      names,
      callId,
      frontEnd: unique('fe-'),
      ...callSides(callId),
      startsAt: Date.now(),
      ...more,
    });
  }

  const configuration = (frontEnd: string): string =>
    `<GetConfiguration Version="1.0"><Pool/><FrontEnd>${frontEnd}</FrontEnd><CurrentVersion/></GetConfiguration>`;

  it('returns a configuration to a front end', async () => {
    const frontEnd = unique('fe-');
    const answer = await feed.call('getConfiguration', { path: feed.configurationPath, body: configuration(frontEnd) });
    expect([answer.status, answer.continued]).toEqual([200, true]);
    expect(readXml(answer.body).attributes['Identifier']).toBe(frontEnd);
  });

  it('accepts a record and responds with the Count', async () => {
    const answer = await feed.call('postRecord', { body: newCall().start() });
    expect([answer.status, answer.continued]).toEqual([200, true]);
    expect(children(readXml(answer.body), 'Count').map(({ text }) => text)).toEqual([expect.stringMatching(/^\d+$/)]);
  });

  it('does not repeat a configuration that the front end has', async () => {
    const request = configuration(unique('fe-'));
    const first = await feed.call('getConfiguration', { path: feed.configurationPath, body: request });
    const { CurrentVersion: version = '' } = readXml(first.body).attributes;
    const body = request.replace('<CurrentVersion/>', `<CurrentVersion>${version}</CurrentVersion>`);
    const second = readXml((await feed.call('getConfiguration', { path: feed.configurationPath, body })).body);
    expect(second).toMatchObject({ attributes: { CurrentVersion: version, Unchanged: 'True' }, children: [] });
  });

  it('counts each answered request of a front end, including the configuration', async () => {
    const call = newCall();
    await feed.call('getConfiguration', {
      path: feed.configurationPath,
      body: configuration(call.options.frontEnd),
    });
    const counts = [await feed.post(call.start()), await feed.post(call.start(['audio', 'video'], 5))];
    await feed.call('postRecord', { body: '<not-a-record/>' });
    counts.push(await feed.post(call.ended(9)));
    expect(counts).toEqual([2, 3, 4]);
  });

  it('accepts several records in one post, and names the one that it rejects', async () => {
    const call = newCall();
    const lines = [call.start(), '<not-a-record/>', call.ended(9)].map((xml) => xml.replaceAll(/\s*\n\s*/g, ' '));
    const headers = { 'content-type': 'application/vnd.ringdown.records' };
    const answer = await feed.call('postRecords', { path: feed.batchPath, headers, body: lines.join('\n') });
    const reply = readXml(answer.body);
    expect([answer.status, children(reply, 'Stored').map(({ text }) => text)]).toEqual([200, ['2']]);
    expect(children(reply, 'Rejected').map(({ attributes }) => attributes)).toEqual([{ Position: '1', Status: '400' }]);
  });

  it('counts each front end by itself', async () => {
    const calls = [newCall(), newCall()];
    const counts: number[] = [];
    for (const call of [...calls, ...calls]) counts.push(await feed.post(call.start()));
    expect(counts).toEqual([1, 1, 2, 2]);
  });

  it('works with single bytes over one connection', async () => {
    const connection = await RawConnection.open(collectorUrl);
    const call = newCall();
    try {
      for (const [path, body] of [
        [feed.configurationPath, configuration(call.options.frontEnd)],
        [feed.recordsPath, call.start()],
        [feed.recordsPath, call.ended(3)],
      ] as const) {
        connection.write(
          `POST ${path} HTTP/1.1\r\nHost: ${collectorUrl.host}\r\nContent-Type: text/xml\r\nAccept: text/xml\r\n` +
            `Content-Length: ${Buffer.byteLength(body)}\r\nExpect: 100-continue\r\nConnection: Keep-Alive\r\n\r\n`,
        );
        expect(await connection.read(/^HTTP\/1\.1 100 Continue\r\n\r\n/)).toBeTruthy();
        connection.write(body);
        expect(await connection.read(/^HTTP\/1\.1 200 [\s\S]*?\r\n\r\n/)).toMatch(/content-type: text\/xml/i);
        await connection.read(/<\/(Response|Configuration)>\s*/);
      }
    } finally {
      connection.close();
    }
    expect(at(await operator.callOf(call.options.callId, 2), 'state')).toBe('ended');
  });

  it('accepts a body in pieces, without Expect, chunked, and with a byte order mark', async () => {
    const connection = await RawConnection.open(collectorUrl);
    const call = newCall();
    const body = call.start();
    const chunks = [`\uFEFF${body.slice(0, 100)}`, body.slice(100)];
    connection.write(
      `POST /any/path/at/all HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (const chunk of chunks) connection.write(`${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
    connection.write('0\r\n\r\n');
    expect(await connection.read(/^HTTP\/1\.1 \d+/)).toBe('HTTP/1.1 200');
    connection.close();
    await operator.callOf(call.options.callId, 1);
  });

  it('answers a probe without a body', async () => {
    for (const path of ['/', feed.recordsPath]) {
      const headers = { expect: undefined, 'content-type': undefined };
      const answer = await feed.call('postRecord', { path, headers, body: '' });
      expect(answer.status).toBe(200);
    }
  });

  it.each([
    ['/LDL/RequestMessage', 'text/xml'],
    ['/Some/Other/Path', 'application/xml'],
    ['/CallInfo?x=1', 'text/xml; charset="UTF-8"'],
  ])('accepts the path %s and %s', async (path, contentType) => {
    const headers = { 'content-type': contentType };
    const answer = await feed.call('postRecord', { path, headers, body: newCall().start() });
    expect(answer.status).toBe(200);
  });

  it('accepts unknown elements and attributes', async () => {
    const call = newCall();
    const body = call.start().replace('<From>', '<Brand New="1"><Deep/></Brand><From x="y"><Later>1</Later>');
    await feed.post(body);
    const stored = await operator.callOf(call.options.callId, 1);
    expect(at(stored, 'records', 0, 'xml')).toBe(body);
  });

  it('accepts the examples of its own description', async () => {
    const content = at(
      feed.contract.document,
      'paths',
      '/{senderRoot}/RequestMessage',
      'post',
      'requestBody',
      'content',
    );
    const examples = Object.entries(at(content, 'text/xml', 'examples') ?? {});
    expect(examples.map(([name]) => name)).toEqual(['start', 'ended', 'error', 'quality']);
    for (const [, example] of examples) {
      const callId = unique('example-');
      // With people who are not used elsewhere: those of the example would be shown as on the phone from now on.
      const xml = String(at(example, 'value'))
        .replace(/<CallId>[^<]*/, `<CallId>${callId}`)
        .replaceAll('@example.test', `-${callId}@example.test`);
      expect((await feed.call('postRecord', { body: xml })).status).toBe(200);
    }
  });

  it('is on its own port, without credentials', async () => {
    const answer = await web.send({ method: 'POST', url: '/Ringdown/RequestMessage', body: newCall().start() });
    expect(answer.status).toBe(404);
    expect(json(answer)).toMatchObject({ code: 'NotFound' });
  });
});
