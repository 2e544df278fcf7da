import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { createHash } from 'node:crypto';
import { KnownFrontEnds } from '../src/index.js';

const logger = quietLogger();

describe('the bucket of known front ends', () => {
  const started = new Started();
  const limits = bucketLimits();
  let nats: TestNats;

  beforeEach(async () => {
    nats = started.add(await startNats());
  });
  afterEach(() => started.stopAll());

  async function connect(url: string, own: { readonly limits?: typeof limits } = { limits }): Promise<Bus> {
    const bus = await Bus.connect({ url, name: 'test', logger, ...own });
    started.add({ stop: () => bus.close() });
    return bus;
  }

  it('gets a limit from the aggregator if an older version created it; collectors can use it before', async () => {
    const bus = await connect(nats.url, {});
    const maxBytes = async (): Promise<number> => (await bus.jsm.streams.info('KV_FRONT_ENDS')).config.max_bytes;
    await Bucket.open({ bus, name: 'FRONT_ENDS', maxAgeMs: 0, parse: Object });
    const collector = await connect(nats.urlOf('collector'));
    const known = await KnownFrontEnds.open({ bus: collector, logger, most: 10 });
    expect(known.admit('fe1.example.test')).toBe(true);
    expect(await maxBytes()).toBe(-1);
    await KnownFrontEnds.ensureBucket(await connect(nats.urlOf('aggregator')));
    expect(await maxBytes()).toBe(limits.maxBytesOf('FRONT_ENDS'));
  });

  it('is read again and again: another collector knows a front end soon, and one that starts knows all', async () => {
    await KnownFrontEnds.ensureBucket(await connect(nats.urlOf('aggregator')));
    const open = async (): Promise<KnownFrontEnds> => {
      const known = await KnownFrontEnds.open({ bus: await connect(nats.urlOf('collector')), logger, most: 10 });
      known.follow();
      started.add({ stop: () => known.close() });
      return known;
    };
    const [one, other] = [await open(), await open()];
    for (const name of ['fe1', 'fe2', 'fe3']) expect(one.admit(`${name}.example.test`)).toBe(true);
    await eventually('the front ends', () => Promise.resolve(other.size === 3));
    expect(other.admit('fe4.example.test')).toBe(true);
    await eventually('the front end of the other', () => Promise.resolve(one.size === 4));
    expect((await open()).size).toBe(4);
  });

  it('is counted without those that nobody named in 30 days', async () => {
    let now = Date.now();
    const bus = await connect(nats.urlOf('collector'));
    const known = await KnownFrontEnds.open({ bus, logger, most: 10, now: () => now });
    known.admit('old.example.test');
    now += 20 * 86_400_000;
    known.admit('new.example.test');
    expect(known.size).toBe(2);
    now += 11 * 86_400_000;
    expect(known.size).toBe(1);
  });

  it('is read when the aggregator has made it, if the collector is started first', async () => {
    const known = await KnownFrontEnds.open({ bus: await connect(nats.urlOf('collector')), logger, most: 10 });
    known.follow();
    started.add({ stop: () => known.close() });
    await KnownFrontEnds.ensureBucket(await connect(nats.urlOf('aggregator')));
    const other = await KnownFrontEnds.open({ bus: await connect(nats.urlOf('collector')), logger, most: 10 });
    other.admit('fe1.example.test');
    await eventually('the front end', () => Promise.resolve(known.size === 1));
    expect(known.admit('fe1.example.test')).toBe(true);
  });

  it.each([
    ['no JSON', 'garbled', '{'],
    ['another form', 'garbled', '{"name":1}'],
    ['a wildcard as key', '*', '{"name":"fe9.example.test","seenAt":1}'],
    ['the key of another front end', 'garbled', '{"name":"fe9.example.test","seenAt":1}'],
  ])('is read by a collector although one entry has %s', async (_what, key, text) => {
    await KnownFrontEnds.ensureBucket(await connect(nats.urlOf('aggregator')));
    const bus = await connect(nats.urlOf('collector'));
    const open = async (): Promise<KnownFrontEnds> => {
      const known = await KnownFrontEnds.open({ bus: await connect(nats.urlOf('collector')), logger, most: 10 });
      known.follow();
      started.add({ stop: () => known.close() });
      return known;
    };
    const running = await open();
    running.admit('fe1.example.test');
    await eventually('the first front end', async () => (await open()).size === 1);
    bus.connection.publish(`$KV.FRONT_ENDS.${key}`, text);
    await bus.connection.flush();
    expect((await open()).size).toBe(1);
    (await open()).admit('fe2.example.test');
    await eventually('the second front end', () => running.size === 2);
    expect((await open()).size).toBe(2);
  });

  it('keeps no front end beyond the time of the bus', async () => {
    const aggregator = await connect(nats.urlOf('aggregator'));
    await KnownFrontEnds.ensureBucket(aggregator);
    const name = 'fe1.example.test';
    const key = createHash('sha256').update(name).digest('hex');
    await aggregator.js.publish(`$KV.FRONT_ENDS.${key}`, JSON.stringify({ name, seenAt: 9e15 }));
    const bus = await connect(nats.urlOf('collector'));
    let now = Date.now();
    const known = await KnownFrontEnds.open({ bus, logger, most: 1, now: () => now });
    expect([known.size, known.admit('fe2.example.test')]).toEqual([1, false]);
    now += 31 * 86_400_000;
    expect(known.admit('fe2.example.test')).toBe(true);
  });
});
