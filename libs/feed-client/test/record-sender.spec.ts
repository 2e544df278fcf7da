import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { collectorAddress } from '../src/collector-address.js';
import { RecordSender, SEND_ONCE, type RecordSenderOptions, type Persistence } from '../src/record-sender.js';
import { RecordingCollector, xml } from './recording-collector.js';

function record(callId: string): DiagnosticsRecord {
  return {
    version: '1.0',
    connection: { callId, frontEnds: ['fe1'], timeStamp: '2026-01-02T03:04:05.0000000Z' },
    events: [{ kind: 'startOrUpdate', mediaType: 'audio', codecs: [] }],
  };
}

function callsAt({ records }: RecordingCollector): string[] {
  return records.map(({ body }) => /<CallId>(\w+)</.exec(body)?.[1] ?? '');
}

/** A server that is not a collector. */
class BrokenServer {
  private readonly sockets: Socket[] = [];
  private readonly server;

  constructor(onConnection: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.sockets.push(socket.on('error', () => undefined));
      onConnection(socket);
    });
  }

  async url(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const AGAIN: Persistence = { ...SEND_ONCE, maxRetry: 100 };

describe('RecordSender', () => {
  const started = new Started();
  let collector: RecordingCollector;
  let pauses: number[];
  /** Called in each pause; no time passes. */
  let inPause: () => Promise<void>;
  let failedOverTo: string[];

  function newSender(more: Partial<RecordSenderOptions> = {}): RecordSender {
    const made = new RecordSender({
      address: collectorAddress(collector.url, defaultProfile),
      frontEnd: 'fe1',
      profile: defaultProfile,
      persistence: AGAIN,
      onFailover: ({ records }) => failedOverTo.push(records.origin),
      pause: async (ms) => {
        pauses.push(ms);
        await inPause();
      },
      ...more,
    });
    started.add({ stop: () => Promise.resolve(made.close()) });
    return made;
  }

  /** Answers this many records with `status`, then all with 200. */
  function failing(times: number, status = 503): void {
    let left = times;
    collector.answer = (response, count) => xml(response, left-- > 0 ? status : 200, `<Count>${count}</Count>`);
  }

  beforeEach(async () => {
    pauses = [];
    failedOverTo = [];
    inPause = (): Promise<void> => Promise.resolve();
    collector = started.add(await RecordingCollector.start());
  });

  afterEach(() => started.stopAll());

  it('sends a record that was not accepted again before the next one', async () => {
    failing(2);
    const sent = newSender();
    const deliveries = await Promise.all(['a', 'b', 'c'].map((callId) => sent.send(record(callId))));
    expect(callsAt(collector)).toEqual(['a', 'a', 'a', 'b', 'c']);
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'answered']);
    expect(deliveries[0]).toMatchObject({ cseq: 2, count: 4 });
    // A collector may have stored what it answered with 503.
    expect(new Set(collector.records.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  });

  it('sends a record without an answer again as the same bytes, as it may have been stored', async () => {
    let cut = 2;
    collector.answer = (response, count) => {
      if (cut-- > 0) response.socket?.destroy();
      else xml(response, 200, `<Count>${count}</Count>`);
    };
    const sent = newSender();
    const deliveries = [await sent.send(record('a')), await sent.send(record('b'))];
    expect(deliveries).toMatchObject([
      { outcome: 'answered', cseq: 2 },
      { outcome: 'answered', cseq: 3 },
    ]);
    const posted = collector.received.filter(({ path }) => path === '/Ringdown/RequestMessage');
    expect(posted).toHaveLength(4);
    expect(new Set(posted.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  });

  it('starts again with the configuration when the collector is back', async () => {
    await collector.stop();
    inPause = async (): Promise<void> => {
      if (pauses.length === 3) await collector.start();
    };
    expect(await newSender().send(record('a'))).toMatchObject({ outcome: 'answered', cseq: 2 });
    expect(pauses).toHaveLength(3);
    expect(collector.received.map(({ path }) => path)).toEqual([
      '/Ringdown/GetConfiguration',
      '/Ringdown/RequestMessage',
    ]);
  });

  it('pauses a second longer with each failure, up to the maximum', async () => {
    failing(9);
    await newSender({ persistence: { ...AGAIN, maxDelayLimit: 2, maxBackoffMs: 4_000 } }).send(record('a'));
    expect(pauses).toEqual([100, 100, 1_000, 2_000, 3_000, 4_000, 4_000, 4_000, 4_000]);
    failing(1);
    await newSender().send(record('b'));
    expect(pauses.at(-1)).toBe(100);
  });

  it('drops a record after the last retry, and continues with the next', async () => {
    failing(3);
    const retries: string[] = [];
    const sent = newSender({ persistence: { ...AGAIN, maxRetry: 2 }, onRetry: () => retries.push('again') });
    const deliveries = await Promise.all(['a', 'b'].map((callId) => sent.send(record(callId))));
    expect(callsAt(collector)).toEqual(['a', 'a', 'a', 'b']);
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['failed', 'answered']);
    expect(retries).toHaveLength(2);
  });

  it.each([
    [400, 'refused', ['a']],
    [408, 'answered', ['a', 'a']],
    [429, 'answered', ['a', 'a']],
    [302, 'answered', ['a', 'a']],
  ])('treats status %i as %s', async (status, outcome, calls) => {
    failing(1, status);
    expect(await newSender().send(record('a'))).toMatchObject({ outcome });
    expect(callsAt(collector)).toEqual(calls);
  });

  it('sends nothing again by default', async () => {
    failing(1);
    const sent = newSender({ persistence: SEND_ONCE });
    expect(await sent.send(record('a'))).toMatchObject({ outcome: 'failed' });
    expect(await sent.send(record('b'))).toMatchObject({ outcome: 'answered' });
    expect([callsAt(collector), pauses]).toEqual([['a', 'b'], []]);
  });

  it('fails over to the other collector, and back when that one fails too', async () => {
    const other = started.add(await RecordingCollector.start());
    const alternative = collectorAddress(other.url, defaultProfile);
    const sent = newSender({ alternative, persistence: { ...AGAIN, maxRetryBeforeFailover: 3 } });
    await sent.send(record('a'));
    await collector.stop();
    // Sent with the number of the first attempt: the other collector may have stored it.
    expect(await sent.send(record('b'))).toMatchObject({ outcome: 'answered', cseq: 3 });
    expect(await sent.send(record('c'))).toMatchObject({ outcome: 'answered', cseq: 4 });
    expect([callsAt(collector), callsAt(other), sent.usesAlternative]).toEqual([['a'], ['b', 'c'], true]);
    await other.stop();
    await collector.start();
    expect(await sent.send(record('d'))).toMatchObject({ outcome: 'answered', cseq: 5 });
    expect([callsAt(collector), sent.usesAlternative]).toEqual([['a', 'd'], false]);
    expect(failedOverTo).toEqual([other.url, collector.url]);
  });

  it('fails over with the next record when nothing is sent again', async () => {
    const other = started.add(await RecordingCollector.start());
    await collector.stop();
    const alternative = collectorAddress(other.url, defaultProfile);
    const sent = newSender({ alternative, persistence: { ...SEND_ONCE, maxRetryBeforeFailover: 1 } });
    expect(await sent.send(record('a'))).toMatchObject({ outcome: 'lost' });
    expect(await sent.send(record('b'))).toMatchObject({ outcome: 'answered' });
    expect(callsAt(other)).toEqual(['b']);
  });

  it('does not count records that it did not try to send as failures', async () => {
    const other = started.add(await RecordingCollector.start());
    await collector.stop();
    const alternative = collectorAddress(other.url, defaultProfile);
    const sent = newSender({ alternative, persistence: { ...SEND_ONCE, maxRetryBeforeFailover: 2 }, now: () => 0 });
    for (const callId of ['a', 'b', 'c']) await sent.send(record(callId));
    expect([failedOverTo, sent.usesAlternative]).toEqual([[], false]);
  });

  it.each([
    ['answers with garbage', (socket: Socket): void => void socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
    ['answers with invalid HTTP headers', (socket: Socket): void => void socket.write('HTTP/1.1 200 OK\r\nx\r\n\r\n')],
    ['closes the connection', (socket: Socket): void => void socket.destroy()],
    ['never answers', (): void => undefined],
    [
      'never ends its answer',
      (socket: Socket): void =>
        void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(50_000)}`),
    ],
    [
      'switches to another protocol',
      (socket: Socket): void => void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
    ],
  ])('fails over from a server that %s', async (_what, onConnection) => {
    const server = started.add(new BrokenServer(onConnection));
    const sent = newSender({
      address: collectorAddress(await server.url(), defaultProfile),
      alternative: collectorAddress(collector.url, defaultProfile),
      persistence: { ...AGAIN, maxRetryBeforeFailover: 2 },
      timeoutMs: 3_000,
    });
    expect(await sent.send(record('a'))).toMatchObject({ outcome: 'answered' });
    expect([callsAt(collector), pauses.length]).toEqual([['a'], 2]);
  });

  it('waits for a slow collector, and does not send a record twice', async () => {
    collector.answer = (response, count) => void setTimeout(() => xml(response, 200, `<Count>${count}</Count>`), 300);
    const deliveries = await Promise.all(['a', 'b'].map((callId) => newSender().send(record(callId))));
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    expect(callsAt(collector).toSorted()).toEqual(['a', 'b']);
  });

  it('loses the waiting records when it is closed', async () => {
    await collector.stop();
    const sent = newSender();
    inPause = async (): Promise<void> => sent.close();
    const deliveries = await Promise.all(['a', 'b'].map((callId) => sent.send(record(callId))));
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['lost', 'lost']);
    expect(pauses).toHaveLength(1);
  });

  it('ends a pause when it is closed', async () => {
    await collector.stop();
    const sent = new RecordSender({
      address: collectorAddress(collector.url, defaultProfile),
      frontEnd: 'fe1',
      profile: defaultProfile,
      persistence: { ...AGAIN, maxDelayLimit: 0 },
      onRetry: () => undefined,
    });
    const delivery = sent.send(record('a'));
    setImmediate(() => sent.close());
    expect(await delivery).toMatchObject({ outcome: 'lost' });
  });
});
