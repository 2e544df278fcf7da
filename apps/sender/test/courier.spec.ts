import { Started } from '@ringdown/testing';
import { defaultProfile } from '@ringdown/vendor-profile';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { collectorAddress } from '../src/delivery/collector-address.js';
import { Courier, SEND_ONCE, type CourierOptions, type Persistence } from '../src/delivery/courier.js';
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

/** Something at a port that is no collector. */
class Stranger {
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

describe('a courier of records', () => {
  const started = new Started();
  let collector: RecordingCollector;
  let pauses: number[];
  /** What happens in each pause; no time passes. */
  let inPause: () => Promise<void>;
  let turnedTo: string[];

  function courier(more: Partial<CourierOptions> = {}): Courier {
    const made = new Courier({
      address: collectorAddress(collector.url, defaultProfile),
      frontEnd: 'fe1',
      profile: defaultProfile,
      persistence: AGAIN,
      onFailover: ({ records }) => turnedTo.push(records.origin),
      pause: async (ms) => {
        pauses.push(ms);
        await inPause();
      },
      ...more,
    });
    started.add({ stop: () => Promise.resolve(made.close()) });
    return made;
  }

  /** Answers so many records badly, then all of them well. */
  function failing(times: number, status = 503): void {
    let left = times;
    collector.answer = (response, count) => xml(response, left-- > 0 ? status : 200, `<Count>${count}</Count>`);
  }

  beforeEach(async () => {
    pauses = [];
    turnedTo = [];
    inPause = (): Promise<void> => Promise.resolve();
    collector = started.add(await RecordingCollector.start());
  });

  afterEach(() => started.stopAll());

  it('sends again what the collector has not taken, before anything else', async () => {
    failing(2);
    const sent = courier();
    const deliveries = await Promise.all(['a', 'b', 'c'].map((callId) => sent.send(record(callId))));
    expect(callsAt(collector)).toEqual(['a', 'a', 'a', 'b', 'c']);
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'answered']);
    expect(deliveries[0]).toMatchObject({ cseq: 4, count: 4 });
  });

  it('starts anew with the configuration when the collector is back', async () => {
    await collector.stop();
    inPause = async (): Promise<void> => {
      if (pauses.length === 3) await collector.start();
    };
    expect(await courier().send(record('a'))).toMatchObject({ outcome: 'answered', cseq: 2 });
    expect(pauses).toHaveLength(3);
    expect(collector.received.map(({ path }) => path)).toEqual([
      '/Ringdown/GetConfiguration',
      '/Ringdown/RequestMessage',
    ]);
  });

  it('slows down by a second with each failure, up to the most', async () => {
    failing(9);
    await courier({ persistence: { ...AGAIN, maxDelayLimit: 2, maxBackoffMs: 4_000 } }).send(record('a'));
    expect(pauses).toEqual([100, 100, 1_000, 2_000, 3_000, 4_000, 4_000, 4_000, 4_000]);
    failing(1);
    await courier().send(record('b'));
    expect(pauses.at(-1)).toBe(100);
  });

  it('gives a record up that was sent again often enough, and goes on with the next', async () => {
    failing(3);
    const retries: string[] = [];
    const sent = courier({ persistence: { ...AGAIN, maxRetry: 2 }, onRetry: () => retries.push('again') });
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
  ])('takes %i for %s', async (status, outcome, calls) => {
    failing(1, status);
    expect(await courier().send(record('a'))).toMatchObject({ outcome });
    expect(callsAt(collector)).toEqual(calls);
  });

  it('sends nothing again unless it is told to', async () => {
    failing(1);
    const sent = courier({ persistence: SEND_ONCE });
    expect(await sent.send(record('a'))).toMatchObject({ outcome: 'failed' });
    expect(await sent.send(record('b'))).toMatchObject({ outcome: 'answered' });
    expect([callsAt(collector), pauses]).toEqual([['a', 'b'], []]);
  });

  it('turns to the other collector, and back when that one fails, too', async () => {
    const other = started.add(await RecordingCollector.start());
    const alternative = collectorAddress(other.url, defaultProfile);
    const sent = courier({ alternative, persistence: { ...AGAIN, maxRetryBeforeFailover: 3 } });
    await sent.send(record('a'));
    await collector.stop();
    expect(await sent.send(record('b'))).toMatchObject({ outcome: 'answered', cseq: 2 });
    expect(await sent.send(record('c'))).toMatchObject({ outcome: 'answered', cseq: 3 });
    expect([callsAt(collector), callsAt(other), sent.usesAlternative]).toEqual([['a'], ['b', 'c'], true]);
    await other.stop();
    await collector.start();
    expect(await sent.send(record('d'))).toMatchObject({ outcome: 'answered', cseq: 2 });
    expect([callsAt(collector), sent.usesAlternative]).toEqual([['a', 'd'], false]);
    expect(turnedTo).toEqual([other.url, collector.url]);
  });

  it('turns to the other collector also when nothing is sent again: with the next record', async () => {
    const other = started.add(await RecordingCollector.start());
    await collector.stop();
    const alternative = collectorAddress(other.url, defaultProfile);
    const sent = courier({ alternative, persistence: { ...SEND_ONCE, maxRetryBeforeFailover: 1 } });
    expect(await sent.send(record('a'))).toMatchObject({ outcome: 'lost' });
    expect(await sent.send(record('b'))).toMatchObject({ outcome: 'answered' });
    expect(callsAt(other)).toEqual(['b']);
  });

  it('counts no records as failures that it did not try to send', async () => {
    const other = started.add(await RecordingCollector.start());
    await collector.stop();
    const alternative = collectorAddress(other.url, defaultProfile);
    const sent = courier({ alternative, persistence: { ...SEND_ONCE, maxRetryBeforeFailover: 2 }, now: () => 0 });
    for (const callId of ['a', 'b', 'c']) await sent.send(record(callId));
    expect([turnedTo, sent.usesAlternative]).toEqual([[], false]);
  });

  it.each([
    ['answers garbage', (socket: Socket): void => void socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
    [
      'answers garbage in the words of HTTP',
      (socket: Socket): void => void socket.write('HTTP/1.1 200 OK\r\nx\r\n\r\n'),
    ],
    ['hangs up', (socket: Socket): void => void socket.destroy()],
    ['says nothing', (): void => undefined],
    [
      'goes on for ever',
      (socket: Socket): void =>
        void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${'x'.repeat(50_000)}`),
    ],
    [
      'wants another protocol',
      (socket: Socket): void => void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
    ],
  ])('turns away from one that %s', async (_what, onConnection) => {
    const stranger = started.add(new Stranger(onConnection));
    const sent = courier({
      address: collectorAddress(await stranger.url(), defaultProfile),
      alternative: collectorAddress(collector.url, defaultProfile),
      persistence: { ...AGAIN, maxRetryBeforeFailover: 2 },
      timeoutMs: 3_000,
    });
    expect(await sent.send(record('a'))).toMatchObject({ outcome: 'answered' });
    expect([callsAt(collector), pauses.length]).toEqual([['a'], 2]);
  });

  it('waits for one that is slow, and does not ask it twice', async () => {
    collector.answer = (response, count) => void setTimeout(() => xml(response, 200, `<Count>${count}</Count>`), 300);
    const deliveries = await Promise.all(['a', 'b'].map((callId) => courier().send(record(callId))));
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    expect(callsAt(collector).toSorted()).toEqual(['a', 'b']);
  });

  it('stops in the middle of it: what is on its way is lost', async () => {
    await collector.stop();
    const sent = courier();
    inPause = async (): Promise<void> => sent.close();
    const deliveries = await Promise.all(['a', 'b'].map((callId) => sent.send(record(callId))));
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(['lost', 'lost']);
    expect(pauses).toHaveLength(1);
  });

  it('stops in a pause', async () => {
    await collector.stop();
    const sent = new Courier({
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
