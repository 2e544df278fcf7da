import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import type { DeadLetter } from '@ringdown/contracts/set-aside';
import { DeadLetters } from '@ringdown/feed-bus';
import {
  deadLetterSettings,
  ensureDeadLettersStream,
  ensureFeedStreams,
  streamSettings,
} from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { Metrics } from '@ringdown/observability';
import { readSettings } from '@ringdown/settings';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Subscriber } from '../src/subscriber.js';
import { SubscriberMetrics } from '../src/subscriber-metrics.js';
import { readSubscriberSettings } from '../src/subscription.js';

describe('an item that cannot be prepared for a subscriber', () => {
  let nats: TestNats;
  let bus: Bus;

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await ensureFeedStreams(bus, readSettings(streamSettings, {}));
    await ensureDeadLettersStream(bus, readSettings(deadLetterSettings, {}));
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  it('is set aside as a dead letter, and everything else is sent in order', async () => {
    const sent: string[] = [];
    const metrics = new Metrics();
    const subscriber = new Subscriber({
      subscription: readSubscriberSettings({ name: 'nms', submituri: 'http://a.test/', maxopen: '1' }),
      bus,
      stream: RECORDS_STREAM,
      transport: {
        send: ({ body }) => {
          sent.push(body);
          return Promise.resolve({ ok: true });
        },
        close: () => undefined,
      },
      metrics: new SubscriberMetrics(metrics).of('nms'),
      logger: quietLogger(),
      limitMs: 100,
      items: (message) =>
        (message as string[]).map((content) => ({
          callId: 'one call',
          content,
          outgoing: () => {
            if (content === 'frozen') for (;;);
            if (content === 'thrower') throw new Error('cannot be converted');
            return [{ callKey: 'one call', contentType: 'application/json', body: content }];
          },
        })),
    });
    await subscriber.start();
    for (const message of [['first', 'frozen', 'second'], ['thrower'], ['third']])
      await bus.js.publish(recordsSubject(0), JSON.stringify(message));
    await eventually('all that can be sent', () => Promise.resolve(sent.length === 3));
    expect(sent).toEqual(['first', 'second', 'third']);

    const letters: DeadLetter[] = [];
    for await (const { letter } of new DeadLetters(bus).all()) letters.unshift(letter);
    expect(letters).toMatchObject([
      {
        code: 'unsendable-record',
        content: 'frozen',
        sequence: 1,
        reason: 'for the subscriber nms: the time limit of 100 ms was exceeded',
      },
      {
        code: 'unsendable-record',
        content: 'thrower',
        sequence: 2,
        reason: expect.stringContaining('cannot be converted'),
      },
    ]);
    expect(await metrics.total('subscriber_dropped_total', { reason: 'set_aside' })).toBe(2);
    await subscriber.stop();
  });

  it('has one dead letter per subscriber, even after several tries', async () => {
    const letters = new DeadLetters(bus);
    const letter = { v: 1, setAsideAt: 1, partition: 3, sequence: 7, code: 'unsendable-record', content: 'x' } as const;
    for (const name of ['one', 'other', 'other']) await letters.put({ ...letter, reason: `for ${name}` }, name);
    const reasons: string[] = [];
    for await (const { letter: kept } of letters.all()) if (kept.partition === 3) reasons.unshift(kept.reason);
    expect(reasons).toEqual(['for one', 'for other']);
  });
});
