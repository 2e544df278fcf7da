import { jest } from '@jest/globals';
import { CALL_CHANGES_STREAM, CALLS_CHANGED_SUBJECT } from '@ringdown/contracts/calls';
import { ensureCallChangesStream } from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { CallsChangedPublisher } from '../src/feed/calls-changed.js';
import type { Call } from '../src/calls/call.js';
import { fold } from '../src/calls/fold.js';
import { start } from './call-examples.js';

describe('the publisher of changed calls', () => {
  let nats: TestNats;
  let bus: Bus;
  let listener: Bus;
  let publisher: CallsChangedPublisher;
  let publishedCalls: (readonly string[])[];

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'aggregator', logger: quietLogger() });
    listener = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await ensureCallChangesStream(bus);
    listener.subscribe(CALLS_CHANGED_SUBJECT, (message) => {
      publishedCalls.push((message as { calls: readonly Call[] }).calls.map(({ callId }) => callId));
    });
    await listener.connection.flush();
  });
  beforeEach(() => {
    publishedCalls = [];
    publisher = new CallsChangedPublisher(bus, quietLogger());
  });
  afterEach(() => publisher.close());
  afterAll(async () => {
    await listener.close();
    await bus.close();
    await nats.stop();
  });

  function call(callId: string, padding = ''): Call {
    return { ...fold([], [start()]).call, callId, conversationId: padding };
  }

  it('packs calls into messages that the bus accepts, in order', async () => {
    const calls = ['A', 'B', 'C', 'D', 'E'].map((id) => call(id, 'x'.repeat(100_000)));
    publisher.publish(calls);
    await publisher.flush();
    await eventually('all five calls', () => publishedCalls.flat().length === 5);
    expect(publishedCalls).toEqual([['A', 'B'], ['C', 'D'], ['E']]);
  });

  it('packs calls of batches that were stored together into one message, before a request to read again', async () => {
    for (const id of ['A', 'B', 'C']) publisher.publish([call(id)]);
    publisher.readAgain();
    await publisher.flush();
    await eventually('both messages', () => publishedCalls.length === 2);
    expect(publishedCalls).toEqual([['A', 'B', 'C'], []]);
    publisher.publish([call('D')]);
    await eventually('a call without a further step', () => publishedCalls.length === 3);
  });

  it('publishes a request to read again instead of a call that is too large for a message', async () => {
    publisher.publish([call('A'), call('huge', 'x'.repeat(2_000_000)), call('B')]);
    await publisher.flush();
    await eventually('both messages', () => publishedCalls.length === 2);
    expect(publishedCalls).toEqual([[], ['A', 'B']]);
  });

  it('publishes a request to read again when the bus did not store a message, and is not flushed until then', async () => {
    await nats.kill();
    publisher.publish([call('lost')]);
    expect(await publisher.flush()).toBe(false);
    await nats.restart();
    await eventually('everything to be published', () => publisher.flush());
    // The lost message may still have been sent with the connection; the message about the gap follows it. The listener
    // may have reconnected too late for both, so the test reads the stream.
    const last = await bus.jsm.streams.getMessage(CALL_CHANGES_STREAM, { last_by_subj: CALLS_CHANGED_SUBJECT });
    expect(last?.json()).toEqual({ calls: [] });
    expect(publishedCalls.flat().filter((callId) => callId !== 'lost')).toEqual([]);
  });

  it('does not wait again for each partition that is handed over while the bus does not answer', async () => {
    const publish = jest.spyOn(bus.js, 'publish').mockRejectedValueOnce(new Error('no answer'));
    publisher.publish([call('lost')]);
    expect(await publisher.flush()).toBe(false);
    publish.mockReturnValue(new Promise(() => undefined));
    publisher.publish([call('later')]);
    expect(await publisher.flush()).toBe(false);
    publish.mockRestore();
  });
});
