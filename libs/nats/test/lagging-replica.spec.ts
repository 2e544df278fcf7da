import { jest } from '@jest/globals';
import { eventually } from '@ringdown/testing/eventually';
import { NatsCluster } from '@ringdown/testing/servers/nats-cluster';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bus } from '../src/index.js';
import { Bucket } from '../src/doors/buckets.js';
import { isNotKnownYet, whileElecting } from '../src/while-electing.js';

jest.setTimeout(180_000);

const NAME = 'MEETINGS';
/** So many that a server which was stopped meanwhile needs a moment to store them. */
const WRITES = 500;
const WRITES_AT_ONCE = 100;
/** On a slow disk fewer are enough: a client leaves a server that has not answered for six seconds. */
const WRITING_MS = 2_000;
const ROUNDS = 8;
/** A request has reached the socket of a server that is stopped. */
const SENT_MS = 50;

describe('a bucket of a cluster, read at a server that has not caught up', () => {
  const started = new Started();
  let cluster: NatsCluster;
  let writer: Bucket<string>;
  let reader: Bucket<string>;
  let lagging: string;

  async function connected(url: string): Promise<Bus> {
    const bus = await Bus.connect({ url, name: 'test', logger: quietLogger(), replicas: 3 });
    started.add({ stop: () => bus.close() });
    return bus;
  }

  const openOn = (bus: Bus): Promise<Bucket<string>> => Bucket.open({ bus, name: NAME, maxAgeMs: 0, parse: String });

  beforeAll(async () => {
    cluster = started.add(await NatsCluster.start());
    const bus = await connected(cluster.url);
    writer = await openOn(bus);
    const { cluster: group } = await whileElecting(() => bus.jsm.streams.info(`KV_${NAME}`), isNotKnownYet);
    // Neither the leader nor the server that the writer uses: both must go on.
    lagging = cluster.names.find((each) => each !== group?.leader && each !== bus.connection.info?.server_name) ?? '';
    reader = await openOn(await connected(cluster.urlAt(lagging)));
  });
  afterAll(() => started.stopAll());

  async function writeOthers(value: string): Promise<void> {
    const until = performance.now() + WRITING_MS;
    for (let n = 0; n < WRITES && performance.now() < until; n += WRITES_AT_ONCE) {
      const names = Array.from({ length: WRITES_AT_ONCE }, (_, add) => `other.${n + add}`);
      await Promise.all(names.map((name) => writer.put(name, value)));
    }
  }

  /** Writes while the reader's server is stopped, the entry last; returns what is read as soon as the server goes on. */
  async function readBehind(key: string, read: () => Promise<unknown>): Promise<unknown> {
    cluster.hang(lagging);
    try {
      await writeOthers(key);
      await writer.put(key, key);
      const reading = read();
      await sleep(SENT_MS);
      cluster.resume(lagging);
      return await reading;
    } finally {
      cluster.resume(lagging);
    }
  }

  it('finds an entry that this server does not have yet', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = `new.${round}`;
      const entry = await readBehind(key, () => reader.get(key));
      expect(entry).toMatchObject({ value: key });
    }
  });

  it('returns the newest value of an entry that is to be changed', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = `changed.${round}`;
      await writer.put(key, 'before');
      const entry = await readBehind(key, () => reader.getNewest(key));
      expect(entry).toMatchObject({ value: key });
    }
  });

  it('reports entries that were deleted, or never existed, as missing', async () => {
    await writer.put('deleted', 'value');
    await writer.delete('deleted');
    expect(await reader.getNewest('deleted')).toBeUndefined();
    // An entry that this server has is read from it, a moment old.
    await eventually('the deletion to arrive', async () => (await reader.get('deleted')) === undefined);
    expect(await reader.getNewest('never')).toBeUndefined();
    expect(await writer.create('deleted', 'again')).toBe(true);
    expect(await reader.getNewest('deleted')).toMatchObject({ value: 'again' });
  });
});
