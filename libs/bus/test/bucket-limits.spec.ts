import { Kvm } from '@nats-io/kv';
import { DiscardPolicy, StorageType } from '@nats-io/jetstream';
import { quietLogger, Started, startNats, type TestNats } from '@ringdown/testing';
import {
  Bucket,
  Bus,
  BusFull,
  ensureChannelsStream,
  ensureSharedBuckets,
  KnownFrontEnds,
  maxBytesOf,
  type BucketName,
} from '../src/index.js';

/** The share of the smallest, a thirty-second, takes some dozen entries. */
const STATE_MAX_BYTES = 32 * 4_096;
const TEXT = 'x'.repeat(200);
const logger = quietLogger();

describe('the limit of a bucket', () => {
  const started = new Started();
  let nats: TestNats;
  let bus: Bus;
  let full: BucketName[];

  beforeEach(async () => {
    nats = started.add(await startNats());
    full = [];
    bus = await connect(nats.url);
  });
  afterEach(() => started.stopAll());

  async function connect(url: string): Promise<Bus> {
    const onFull = (bucket: BucketName): void => void full.push(bucket);
    const opened = await Bus.connect({ url, name: 'test', logger, stateMaxBytes: STATE_MAX_BYTES, onFull });
    started.add({ stop: () => opened.close() });
    return opened;
  }
  const open = (name: BucketName, on = bus): Promise<Bucket<string>> =>
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

  it('refuses what is more with 503, keeps what is there, and has room again when something is deleted', async () => {
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

  it('leaves the others their own room', async () => {
    await fill(await open('SIGN_INS'));
    expect(await (await open('TOKENS')).create('token', TEXT)).toBe(true);
  });

  it('is given to a bucket of an older version, which keeps all it has, and is changed with the setting', async () => {
    const old = await new Kvm(bus.js).create('SIGN_INS', { history: 1 });
    for (let n = 0; n < 40; n++) await old.put(`key-${n}`, JSON.stringify(TEXT));
    expect(await maxBytes('KV_SIGN_INS')).toBe(-1);
    const bucket = await open('SIGN_INS');
    expect(await maxBytes('KV_SIGN_INS')).toBe(4_096);
    expect((await bucket.entries()).size).toBe(40);
    await expect(bucket.put('one-more', TEXT)).rejects.toThrow(BusFull);
    const roomy = await Bus.connect({ url: nats.url, name: 'test', logger });
    started.add({ stop: () => roomy.close() });
    await (await open('SIGN_INS', roomy)).put('one-more', TEXT);
    expect(await maxBytes('KV_SIGN_INS')).toBe(maxBytesOf('SIGN_INS', roomy.stateMaxBytes));
  });

  it('is given to the stream of event channels of an older version, which keeps all it has', async () => {
    const subjects = ['ringdown.channels.*.*'];
    const name = 'CHANNELS';
    const before = { storage: StorageType.File, discard: DiscardPolicy.Old, max_bytes: -1, max_msgs_per_subject: 1 };
    await bus.jsm.streams.add({ name, subjects, ...before });
    for (let n = 0; n < 100; n++) await bus.js.publish(`ringdown.channels.${n}.0`, TEXT);
    await ensureChannelsStream(bus);
    const { config, state } = await bus.jsm.streams.info(name);
    expect(config).toMatchObject({ max_bytes: 4 * 4_096, discard: DiscardPolicy.New });
    expect(state.messages).toBe(100);
  });

  it('is given to the front ends of an older version by the aggregator, and collectors go on without it', async () => {
    await new Kvm(bus.js).create('FRONT_ENDS', { history: 1 });
    const collector = await connect(nats.urlOf('collector'));
    const known = await KnownFrontEnds.open({ bus: collector, logger, most: 10 });
    expect(known.admit('fe1.example.test')).toBe(true);
    expect(await maxBytes('KV_FRONT_ENDS')).toBe(-1);
    await ensureSharedBuckets(await connect(nats.urlOf('aggregator')));
    expect(await maxBytes('KV_FRONT_ENDS')).toBe(maxBytesOf('FRONT_ENDS', 0));
    expect(await maxBytes('KV_SERVICES')).toBe(maxBytesOf('SERVICES', 0));
  });

  it('stays as it is where the bus does not let the service change it', async () => {
    await new Kvm(bus.js).create('FRONT_ENDS', { history: 1 });
    const collector = await connect(nats.urlOf('collector'));
    await expect(open('FRONT_ENDS', collector)).resolves.toBeInstanceOf(Bucket);
    await expect(ensureSharedBuckets(await connect(nats.urlOf('subscribers')))).resolves.toBeUndefined();
    expect(await maxBytes('KV_FRONT_ENDS')).toBe(-1);
  });
});
