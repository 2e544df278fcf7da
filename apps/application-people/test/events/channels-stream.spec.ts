import { DiscardPolicy, StorageType } from '@nats-io/jetstream';
import { Bus } from '@ringdown/nats';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { ensureChannelsStream } from '../../src/events/channels-stream.js';

describe('the stream of event channels', () => {
  const started = new Started();
  afterEach(() => started.stopAll());

  it('gets its limit if an older version created it without one, and keeps all its messages', async () => {
    const nats = started.add(await startNats());
    const limits = { maxBytesOf: () => 16_384, setting: 'STATE_MAX_BYTES' };
    const bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger: quietLogger(), limits });
    started.add({ stop: () => bus.close() });
    const subjects = ['ringdown.channels.*.*'];
    const name = 'CHANNELS';
    const before = { storage: StorageType.File, discard: DiscardPolicy.Old, max_bytes: -1, max_msgs_per_subject: 1 };
    await bus.jsm.streams.add({ name, subjects, ...before });
    for (let n = 0; n < 100; n++) await bus.js.publish(`ringdown.channels.${n}.0`, 'x'.repeat(200));
    await ensureChannelsStream(bus);
    const { config, state } = await bus.jsm.streams.info(name);
    expect(config).toMatchObject({ max_bytes: 16_384, discard: DiscardPolicy.New });
    expect(state.messages).toBe(100);
  });
});
