import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { Bucket, Bus } from '@ringdown/nats';
import { quietLogger, Started, startNats, type TestNats } from '@ringdown/testing';
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
});
