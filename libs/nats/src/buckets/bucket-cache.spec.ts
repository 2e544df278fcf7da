import type { Logger } from '@ringdown/observability';
import type { Entry } from './bucket.js';
import { BucketCache } from './bucket-cache.js';

/** A bucket in memory, whose notifications the test triggers. */
class Memory {
  value: string | undefined = 'first';
  reads = 0;
  away = false;
  following = true;
  notice: (key: string) => void = () => undefined;

  async get(): Promise<Entry<string> | undefined> {
    this.reads++;
    if (this.away) throw new Error('the bus is away');
    return this.value === undefined ? undefined : { value: this.value, storedAt: 0, revision: 1 };
  }

  onChange(_logger: Logger, listener: (key: string) => void): () => void {
    this.notice = listener;
    return () => (this.following = false);
  }
}

const logger = {} as Logger; // Nothing is logged here.

describe('cached entries', () => {
  let bucket: Memory;
  let cache: BucketCache<string>;
  let now = 0;

  beforeEach(() => {
    now = 0;
    bucket = new Memory();
    cache = new BucketCache({ bucket, logger, now: () => now });
  });

  async function read(): Promise<string | undefined> {
    return (await cache.get('key'))?.value;
  }

  it('are read once, also for concurrent callers', async () => {
    expect(await Promise.all([read(), read()])).toEqual(['first', 'first']);
    bucket.value = 'second';
    expect(await read()).toBe('first');
    expect(bucket.reads).toBe(1);
  });

  it('are read again after a reported change', async () => {
    await read();
    bucket.value = 'second';
    bucket.notice('another key');
    expect(await read()).toBe('first');
    bucket.notice('key');
    expect(await read()).toBe('second');
  });

  it('are read again when they changed while they were read', async () => {
    const reading = read();
    bucket.value = 'second';
    bucket.notice('key');
    expect(await reading).toBe('first');
    expect(await read()).toBe('second');
  });

  it('are read again after the reader itself has changed them', async () => {
    await read();
    bucket.value = undefined;
    cache.forget('key');
    expect(await read()).toBeUndefined();
  });

  it('are used for five seconds without a reported change', async () => {
    await read();
    bucket.value = 'second';
    now = 4_999;
    expect(await read()).toBe('first');
    now = 5_000;
    expect(await read()).toBe('second');
  });

  it('do not include missing entries', async () => {
    bucket.value = undefined;
    expect(await read()).toBeUndefined();
    bucket.value = 'first';
    expect(await read()).toBe('first');
  });

  it('do not include entries that could not be read', async () => {
    bucket.away = true;
    await expect(read()).rejects.toThrow('the bus is away');
    bucket.away = false;
    expect(await read()).toBe('first');
  });

  it('are limited in number', async () => {
    await read();
    for (let other = 0; other < 10_000; other++) await cache.get(`other ${other}`);
    expect(bucket.reads).toBe(10_001);
    await read();
    expect(bucket.reads).toBe(10_002);
  });

  it('are not watched any more after close', () => {
    cache.close();
    expect(bucket.following).toBe(false);
  });
});
