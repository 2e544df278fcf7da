import { CALL_CHANGES_STREAM } from '@ringdown/contracts/calls';
import { READERS_ENSURE_PATTERN, readerName } from '@ringdown/contracts/readers';
import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import { RequestedPlace } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { DurableReader } from '@ringdown/nats/reading';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Surroundings } from './aggregator-under-test.js';

/** The service `subscribers` has an account without streams: the aggregator stores how far each subscriber has read. */
describe('the places of subscribers', () => {
  let around: Surroundings;
  let bus: Bus;
  const read: unknown[] = [];

  beforeAll(async () => {
    around = await Surroundings.start();
    await around.startAggregator();
    bus = await Bus.connect({ url: around.nats.urlOf('subscribers'), name: 'subscribers', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await around.stop();
  });

  function reader(name: string): DurableReader {
    const place = new RequestedPlace({ bus, stream: RECORDS_STREAM, reader: readerName(name) });
    const handle = (message: { json(): unknown }): Promise<void> => Promise.resolve(void read.push(message.json()));
    return new DurableReader({
      bus,
      stream: RECORDS_STREAM,
      name: readerName(name),
      logger: quietLogger(),
      handle,
      place,
    });
  }

  async function publish(content: string): Promise<void> {
    await around.bus.js.publish(recordsSubject(0), JSON.stringify({ v: 1, records: [], content }));
  }

  async function readContent(content: string): Promise<void> {
    await eventually(content, () => Promise.resolve(read.some((each) => Object(each).content === content)));
  }

  it('are kept over restarts: every message is read once', async () => {
    const first = reader('billing');
    await first.start();
    await publish('first');
    await readContent('first');
    await first.stop();
    await publish('meanwhile');
    const second = reader('billing');
    await second.start();
    await publish('second');
    await readContent('second');
    expect(read.map((each) => Object(each).content)).toEqual(['first', 'meanwhile', 'second']);
    expect(await second.unacknowledged()).toBe(0);
    await second.stop();
  });

  it.each<[string, object]>([
    ['of another stream', { stream: 'TRACES', reader: 'subscriber-x', since: 0, action: 'check' }],
    ['of another reader', { stream: CALL_CHANGES_STREAM, reader: 'aggregator', since: 0, action: 'check' }],
    [
      'with a name of several subjects',
      { stream: RECORDS_STREAM, reader: 'subscriber-x.y', since: 0, action: 'check' },
    ],
    ['without a time', { stream: RECORDS_STREAM, reader: 'subscriber-x', action: 'check' }],
    ['with an unknown action', { stream: RECORDS_STREAM, reader: 'subscriber-x', since: 0, action: 'delete' }],
  ])('are not made for a request %s', async (_what, request) => {
    await expect(bus.request(READERS_ENSURE_PATTERN, request, 10_000)).rejects.toThrow('is an error');
  });
});
