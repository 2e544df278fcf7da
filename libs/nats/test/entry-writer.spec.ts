import { headers } from '@nats-io/transport-node';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { Bus } from '../src/index.js';
import { Bucket, EntryWriter } from '../src/doors/buckets.js';

const BUCKET = { name: 'SHARED', maxAgeMs: 0 };

describe('a bucket that other accounts write to', () => {
  const started = new Started();
  let bus: Bus;
  let bucket: Bucket<string>;
  let writer: EntryWriter<string>;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterAll(() => started.stopAll());

  // The second time, it exists.
  beforeEach(async () => {
    await Bucket.ensure({ bus, ...BUCKET });
    bucket = await Bucket.open({ bus, ...BUCKET, parse: String, role: 'user' });
    writer = new EntryWriter(bus, BUCKET.name);
    for (const key of ['one', 'two']) await writer.put(key, key);
  });

  it('is not purged by a message that asks for a roll-up', async () => {
    for (const rollup of ['all', 'sub']) {
      const header = headers();
      header.set('Nats-Rollup', rollup);
      await expect(bus.js.publish('$KV.SHARED.one', '"other"', { headers: header })).rejects.toThrow(/rollup/i);
    }
    expect([...(await bucket.entries()).keys()].toSorted()).toEqual(['one', 'two']);
  });

  it('has no entry any more that its writer has deleted', async () => {
    await writer.delete('one');
    expect(await bucket.get('one')).toBeUndefined();
    expect([...(await bucket.entries()).keys()]).toEqual(['two']);
  });
});
