import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { postHead } from './raw-connection.js';
import { RunningCollector, startRecord } from './running-collector.js';

const MEGABYTE = 1_000_000;
const PIECE = Buffer.alloc(100_000, 'x');

describe('the last reply on a connection', () => {
  const started = new Started();
  let collector: RunningCollector;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    collector = started.add(await RunningCollector.start(nats.url, { COLLECTOR_REQUEST_SECONDS: '60' }));
  });
  afterAll(() => started.stopAll());

  /**
   * What a sender receives that, like a proxy, sends everything before it reads. Rejects when the connection is reset.
   */
  async function answerTo(head: string, bytes: number): Promise<string> {
    const sender = connect(collector.port, '127.0.0.1');
    await once(sender, 'connect');
    sender.write(head);
    for (let sent = 0; sent < bytes; sent += PIECE.length) {
      await new Promise<void>((written, failed) => {
        sender.write(PIECE, (error) => (error ? failed(error) : written()));
      });
      await new Promise((turn) => setImmediate(turn));
    }
    sender.end();
    return text(sender);
  }

  it.each<[string, string, number, RegExp]>([
    ['a body over the limit', postHead({ 'Content-Length': 3 * MEGABYTE }), 3 * MEGABYTE, /^HTTP\/1\.1 413 /],
    [
      'a body far over what is read of it',
      postHead({ 'Content-Length': 20 * MEGABYTE }),
      20 * MEGABYTE,
      /^HTTP\/1\.1 413 .*connection: close/is,
    ],
    [
      'a body that was refused before it came, and came nevertheless',
      postHead({ 'Content-Length': 3 * MEGABYTE, Expect: '100-continue' }),
      3 * MEGABYTE,
      /^HTTP\/1\.1 413 .*connection: close/is,
    ],
    [
      'chunks that are none',
      `${postHead({ 'Transfer-Encoding': 'chunked' })}zz\r\n`,
      3 * MEGABYTE,
      /^HTTP\/1\.1 400 .*<Code>bad-request</s,
    ],
    ['an endless head', 'POST / HTTP/1.1\r\nX-Long: ', 3 * MEGABYTE, /^HTTP\/1\.1 431 .*<Code>headers-too-large</s],
  ])('reaches the sender of %s', async (_what, head, bytes, answer) => {
    const before = await refusals();
    expect(await answerTo(head, bytes)).toMatch(answer);
    expect(await refusals()).toBe(before + 1);
  });

  it('is followed by the end of the connection, even when the sender does not stop', async () => {
    const sender = connect(collector.port, '127.0.0.1');
    sender.write(postHead({ 'Content-Length': 1_000 * MEGABYTE, Expect: '100-continue' }));
    sender.on('error', () => undefined);
    sender.resume();
    const timer = setInterval(() => sender.write('x'), 50);
    await once(sender, 'close');
    clearInterval(timer);
    expect(await collector.count(startRecord())).toBe(1);
  });

  function refusals(): Promise<number> {
    return collector.metricSum(/^ringdown_collector_refused_total\{/);
  }
});
