import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Bus } from '../src/index.js';
import { Bucket } from '../src/doors/buckets.js';

describe('a bucket', () => {
  let nats: TestNats;
  let bus: Bus;
  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  it('creates a key once, updates only the revision that was read, and reports a deleted key as missing', async () => {
    const bucket = await Bucket.open<string>({ bus, name: 'MEETINGS', maxAgeMs: 60_000, parse: String });
    expect(await bucket.create('a', 'one')).toBe(true);
    expect(await bucket.create('a', 'two')).toBe(false);
    const entry = await bucket.get('a');
    expect(entry?.value).toBe('one');
    expect(await bucket.update('a', 'three', entry?.revision ?? 0)).toBe(true);
    expect(await bucket.update('a', 'four', entry?.revision ?? 0)).toBe(false);
    expect([...(await bucket.entries()).keys()]).toEqual(['a']);
    await bucket.put('b.c', 'five');
    expect([...(await bucket.entries('b.*')).values()].map(({ value }) => value)).toEqual(['five']);
    await bucket.delete('a');
    expect(await bucket.get('a')).toBeUndefined();
    expect([...(await bucket.entries()).keys()]).toEqual(['b.c']);
    expect(await Promise.all(['six', 'seven'].map((value) => bucket.create('a', value)))).toContain(false);
    expect((await bucket.get('a'))?.value).toMatch(/six|seven/);
  });

  it.each(['*', 'b.>', 'b.', '.b', 'b c', 'ö', ''])(
    'stores nothing for all keys that "%s" could stand for',
    async (key) => {
      const bucket = await Bucket.open<string>({ bus, name: 'MEETINGS', maxAgeMs: 60_000, parse: String });
      await expect(bucket.create(key, 'one')).rejects.toThrow('cannot be the key');
      await expect(bucket.update(key, 'one', 1)).rejects.toThrow('cannot be the key');
    },
  );

  it('is found by a replica that was about to create it, when another one has created and changed it meanwhile', async () => {
    const bucket = { name: 'FRONT_ENDS', maxAgeMs: 60_000 };
    const slow = await Bus.connect({ url: nats.url, name: 'slow', logger: quietLogger() });
    const request = slow.connection.request.bind(slow.connection);
    jest.spyOn(slow.connection, 'request').mockImplementation(async (subject, ...rest) => {
      if (subject === '$JS.API.STREAM.CREATE.KV_FRONT_ENDS') await Bucket.ensure({ bus, ...bucket });
      return request(subject, ...rest);
    });
    await Bucket.ensure({ bus: slow, ...bucket });
    expect((await bus.jsm.streams.info('KV_FRONT_ENDS')).config.allow_rollup_hdrs).toBe(false);
    await slow.close();
  });

  it('lists the existing entries while others expire', async () => {
    const bucket = await Bucket.open<string>({ bus, name: 'SIGN_INS', maxAgeMs: 1_000, parse: String });
    let listed = 0;
    const over = new AbortController();
    const list = async (): Promise<void> => {
      for (; !over.signal.aborted; listed++) await bucket.entries();
    };
    const listing = [1, 2, 3, 4].map(() => list());
    for (let n = 0; n < 150; n++) {
      await bucket.put(`key-${n}`, 'short');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await eventually('all to vanish', async () => (await bucket.entries()).size === 0);
    await eventually('more than one list of each', () => listed > 4);
    over.abort();
    await expect(Promise.all(listing)).resolves.toHaveLength(4);
  });

  it('leaves out entries that cannot be read, tells of each once, and reports all others', async () => {
    const { logger, lines } = loggedLines();
    const unreadable: string[] = [];
    const onUnreadable = (name: string): void => void unreadable.push(name);
    const other = await Bus.connect({ url: nats.url, name: 'test', logger, onUnreadable });
    const parse = (value: unknown): string => {
      if (typeof value !== 'string') throw new Error('no text');
      return value;
    };
    const bucket = await Bucket.open<string>({ bus: other, name: 'PRESENCE', maxAgeMs: 60_000, parse });
    await bucket.put('before', 'read');
    const foreign = ['no-json', 'wrong', '*', 'a.*', '>', 'ö'];
    for (const key of foreign)
      other.connection.publish(
        `$KV.PRESENCE.${key}`,
        key === 'no-json' ? '{' : JSON.stringify(key === 'wrong' ? 1 : ''),
      );
    await bucket.put('after', 'read');
    const followed: string[] = [];
    const stop = bucket.follow(logger, (key) => followed.push(key));
    for (let n = 0; n < 2; n++) {
      expect([...(await bucket.entries()).keys()].toSorted()).toEqual(['after', 'before']);
      const changes = [];
      for await (const { value, revision } of bucket.writtenAfter(0)) changes.push([revision, value]);
      const none = foreign.map((_, index) => [index + 2, undefined]);
      expect(changes).toEqual([[1, 'read'], ...none, [foreign.length + 2, 'read']]);
    }
    await eventually('the last one', () => followed.includes('after'));
    stop();
    expect(followed).toEqual(['before', 'after']);
    expect(unreadable).toEqual(foreign.map(() => 'PRESENCE'));
    const about = lines.filter(({ msg }) => msg === 'an entry of a bucket cannot be read and is left out');
    expect(about).toEqual([expect.objectContaining({ level: 40, bucket: 'PRESENCE', leftOut: 0 })]);
    await expect(bucket.get('no-json')).rejects.toThrow('the entry no-json of the bucket PRESENCE cannot be read');
    await other.close();
  });

  it('requests at most 500 entries at a time, so that each is answered in time', async () => {
    const entries = 2_000;
    let requests: number | undefined;
    const sent = (): number => bus.connection.stats().outMsgs;
    const parse = (value: unknown): string => {
      requests ??= sent();
      return String(value);
    };
    const bucket = await Bucket.open<string>({ bus, name: 'CONTACT_LISTS', maxAgeMs: 60_000, parse });
    for (let n = 0; n < entries; n++) bus.connection.publish(`$KV.CONTACT_LISTS.${n}`, '"text"');
    await eventually('all', async () => (await bucket.lastRevision()) === entries);
    const before = sent();
    expect((await bucket.entries()).size).toBe(entries);
    expect(Number(requests) - before).toBeLessThanOrEqual(502);
  });

  it('leaves no timer when the bus is closed while a watch is being opened', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let n = 0; n < 30; n++) {
      const other = await Bus.connect({ url: nats.url, name: 'early', logger: quietLogger() });
      const bucket = await Bucket.open<string>({ bus: other, name: 'MEETINGS', maxAgeMs: 60_000, parse: String });
      const stop = bucket.follow(quietLogger(), () => undefined);
      // Closed at a different step of the opening each time.
      await new Promise((resolve) => setTimeout(resolve, n / 3));
      stop();
      await other.close();
    }
    expect(await eventually('the timers to end', () => timers() <= before)).toBe(true);
  });
});
