import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { Bucket } from '../src/buckets/bucket.js';
import { Bus } from '../src/bus.js';
import { BucketCache } from '../src/buckets/bucket-cache.js';

const started = new Started();
const logger = quietLogger();
let url = '';

beforeAll(async () => {
  ({ url } = started.add(await startNats()));
});
afterAll(() => started.stopAll());

async function bucketOf(name: string): Promise<Bucket<string>> {
  const bus = await Bus.connect({ url, name, logger });
  started.add({ stop: () => bus.close() });
  return Bucket.open({ bus, name: 'MEETINGS', maxAgeMs: 0, parse: String });
}

describe('entries cached by one replica', () => {
  it('are updated when another replica writes or deletes them', async () => {
    const [bucket, elsewhere] = [await bucketOf('one'), await bucketOf('other')];
    // The time does not advance: only a reported change can remove a cached entry.
    const cache = new BucketCache({ bucket, logger, now: () => 0 });
    const read = async (): Promise<string | undefined> => (await cache.get('key'))?.value;

    let written = 0;
    await elsewhere.put('key', '0');
    expect(await read()).toBe('0');
    await eventually('a change that the cache receives', async () => {
      await elsewhere.put('key', String(++written));
      return (await read()) === String(written);
    });
    await elsewhere.delete('key');
    await eventually('the end', async () => (await read()) === undefined);
    cache.close();
  });
});
