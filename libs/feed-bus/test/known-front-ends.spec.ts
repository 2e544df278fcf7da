import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { Bucket, Bus } from '@ringdown/nats';
import { eventually, quietLogger, Started, startNats, type TestNats } from '@ringdown/testing';
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
});
