import { Kvm } from '@nats-io/kv';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { Bus, BusFull } from '../src/index.js';
import { Bucket } from '../src/doors/buckets.js';

/** Room for a few dozen entries. */
const MAX_BYTES = 4_096;
const TEXT = 'x'.repeat(200);
const logger = quietLogger();

describe('the limit of a bucket', () => {
  const started = new Started();
  let nats: TestNats;
  let bus: Bus;
  let full: string[];

  beforeEach(async () => {
    nats = started.add(await startNats());
    full = [];
    bus = await connect(nats.url);
  });
  afterEach(() => started.stopAll());

  async function connect(url: string, maxBytes = MAX_BYTES): Promise<Bus> {
    const onFull = (bucket: string): void => void full.push(bucket);
    const limits = { maxBytesOf: () => maxBytes, setting: 'STATE_MAX_BYTES' };
    const opened = await Bus.connect({ url, name: 'test', logger, limits, onFull });
    started.add({ stop: () => opened.close() });
    return opened;
  }
  const open = (name: string, on = bus): Promise<Bucket<string>> =>
    Bucket.open({ bus: on, name, maxAgeMs: 0, parse: String });
  const maxBytes = async (name: string): Promise<number> => (await bus.jsm.streams.info(name)).config.max_bytes;
  const fill = async (bucket: Bucket<string>): Promise<number> => {
    for (let n = 0; ; n++) {
      const failure = await bucket.put(`key-${n}`, TEXT).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure === undefined) continue;
      expect(failure).toBeInstanceOf(BusFull);
      return n;
    }
  };

  it('rejects further writes with 503, keeps existing entries, and has room again after a deletion', async () => {
    const bucket = await open('SIGN_INS');
    const count = await fill(bucket);
    await expect(bucket.create('one-more', TEXT)).rejects.toMatchObject({
      statusCode: 503,
      message: 'SIGN_INS on the message bus is full (STATE_MAX_BYTES)',
    });
    expect(full).toEqual(['SIGN_INS', 'SIGN_INS']);
    expect((await bucket.entries()).size).toBe(count);
    expect((await bus.jsm.streams.info('KV_SIGN_INS')).state.bytes).toBeLessThanOrEqual(4_096);
    await bucket.delete('key-0');
    await bucket.delete('key-1');
    expect(await bucket.create('one-more', TEXT)).toBe(true);
  });

  it('does not reduce the room of other buckets', async () => {
    await fill(await open('SIGN_INS'));
    expect(await (await open('TOKENS')).create('token', TEXT)).toBe(true);
  });

  it('is added to a bucket of an older version without deleting entries, and follows the setting', async () => {
    const old = await new Kvm(bus.js).create('SIGN_INS', { history: 1 });
    for (let n = 0; n < 40; n++) await old.put(`key-${n}`, JSON.stringify(TEXT));
    expect(await maxBytes('KV_SIGN_INS')).toBe(-1);
    const bucket = await open('SIGN_INS');
    expect(await maxBytes('KV_SIGN_INS')).toBe(4_096);
    expect((await bucket.entries()).size).toBe(40);
    await expect(bucket.put('one-more', TEXT)).rejects.toThrow(BusFull);
    const roomy = await connect(nats.url, 4 * MAX_BYTES);
    await (await open('SIGN_INS', roomy)).put('one-more', TEXT);
    expect(await maxBytes('KV_SIGN_INS')).toBe(4 * MAX_BYTES);
  });

  it('is not changed by a connection without limits', async () => {
    await open('SIGN_INS');
    const unlimited = await Bus.connect({ url: nats.url, name: 'test', logger });
    started.add({ stop: () => unlimited.close() });
    await open('SIGN_INS', unlimited);
    expect(await maxBytes('KV_SIGN_INS')).toBe(MAX_BYTES);
  });

  it('is not changed when the service has no permission to change it', async () => {
    await new Kvm(bus.js).create('FRONT_ENDS', { history: 1 });
    const collector = await connect(nats.urlOf('collector'));
    await expect(open('FRONT_ENDS', collector)).resolves.toBeInstanceOf(Bucket);
    const subscribers = await connect(nats.urlOf('subscribers'));
    await expect(open('FRONT_ENDS', subscribers)).rejects.toThrow(/permission/i);
    const ensured = Bucket.ensure({ bus: subscribers, name: 'FRONT_ENDS', maxAgeMs: 0 });
    await expect(ensured).resolves.toBeUndefined();
    expect(await maxBytes('KV_FRONT_ENDS')).toBe(-1);
  });
});
