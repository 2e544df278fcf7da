import { jest } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { startNats } from '@ringdown/testing/servers/nats';
import { NatsCluster } from '@ringdown/testing/servers/nats-cluster';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { Bus } from '../src/index.js';
import { Bucket } from '../src/doors/buckets.js';
import { ensureStream } from '../src/doors/streams.js';
import { isNotKnownYet, whileElecting } from '../src/while-electing.js';

jest.setTimeout(180_000);

const WARN = 40;
/** Five times of what it takes; with the default interval of the client it takes six minutes. */
const NOTICED_MS = 30_000;
/** A second attempt on the server that hangs would take 10 s. */
const ELSEWHERE_MS = 8_000;

describe('a cluster of three nats-servers', () => {
  const started = new Started();
  let cluster: NatsCluster;

  beforeAll(async () => {
    cluster = started.add(await NatsCluster.start());
  });
  afterAll(() => started.stopAll());

  async function connected(replicas?: number, url = cluster.urls): Promise<Bus> {
    const bus = await Bus.connect({ url, name: 'test', logger: quietLogger(), replicas });
    started.add({ stop: () => bus.close() });
    return bus;
  }

  const bucketOn = (bus: Bus, name: string): Promise<unknown> => Bucket.open({ bus, name, maxAgeMs: 0, parse: String });

  const streamOn = (bus: Bus, name: string): Promise<void> =>
    ensureStream(bus, { name, subjects: [name.toLowerCase()], maxAgeMs: 3_600_000 });

  /** The server that is asked may not know a new stream yet. */
  async function replicasOf(bus: Bus, stream: string): Promise<number> {
    const { config } = await whileElecting(() => bus.jsm.streams.info(stream), isNotKnownYet);
    return config.num_replicas;
  }

  it('can be connected to as soon as it listens, before it has elected a leader', async () => {
    const bus = await connected();
    expect(bus.connection.info?.cluster).toBe('ringdown');
  });

  it('stores new streams and buckets on as many servers as BUS_REPLICAS', async () => {
    const bus = await connected(3);
    await streamOn(bus, 'NEW');
    await bucketOn(bus, 'NEW_BUCKET');
    expect([await replicasOf(bus, 'NEW'), await replicasOf(bus, 'KV_NEW_BUCKET')]).toEqual([3, 3]);
  });

  it('changes the replicas of existing streams and buckets, and keeps them when BUS_REPLICAS is not set', async () => {
    const before = await connected();
    await streamOn(before, 'OLD');
    await new Kvm(before.js).create('OLD_BUCKET', { history: 1 });
    const replicas = async (): Promise<number[]> => [
      await replicasOf(before, 'OLD'),
      await replicasOf(before, 'KV_OLD_BUCKET'),
    ];
    expect(await replicas()).toEqual([1, 1]);
    for (const [wanted, expected] of [
      [3, 3],
      [undefined, 3],
      [1, 1],
    ]) {
      const bus = await connected(wanted);
      await streamOn(bus, 'OLD');
      await bucketOn(bus, 'OLD_BUCKET');
      expect(await replicas()).toEqual([expected, expected]);
    }
  });

  it('is too small for five replicas', async () => {
    const bus = await connected(5);
    const reason =
      'BUS_REPLICAS is 5, but the cluster of the message bus has too few servers with JetStream and free space (connected now: 3)';
    // Each waits twelve seconds for more servers.
    await Promise.all([
      expect(streamOn(bus, 'FIVE')).rejects.toThrow(reason),
      expect(bucketOn(bus, 'NEW_BUCKET')).rejects.toThrow(reason),
    ]);
  });

  it('is used with a warning when one of the hosts does not resolve', async () => {
    const { logger, lines } = loggedLines();
    const url = `${cluster.url},nats://no-such-host.invalid:4222`;
    const bus = await Bus.connect({ url, name: 'test', logger });
    started.add({ stop: () => bus.close() });
    const warnings = lines.filter(({ level }) => level === WARN).map(({ msg }) => msg);
    expect(warnings.filter((line) => line.includes('host'))).toEqual([
      'the host no-such-host.invalid of NATS_URL does not resolve',
    ]);
  });

  it('is not found when no host resolves', async () => {
    const url = 'nats://u:hush@one.invalid:4222,two.invalid:4222';
    await expect(Bus.connect({ url, name: 'test', logger: quietLogger() })).rejects.toThrow(
      /^cannot connect to the message bus at nats:\/\/one\.invalid:4222, nats:\/\/two\.invalid:4222: .*(ENOTFOUND|EAI_AGAIN)/,
    );
  });

  it('is left for another server when the connected one keeps the connection open and no longer answers', async () => {
    const bus = await connected();
    const hung = bus.connection.info?.server_name ?? '';
    let isLost = false;
    let isBack = false;
    bus.onDisconnect(() => (isLost = true));
    bus.onReconnect(() => (isBack = true));
    cluster.hang(hung);
    try {
      await eventually('the loss to be noticed', () => isLost, NOTICED_MS);
      await eventually('another server to be used', () => isBack, ELSEWHERE_MS);
      expect(bus.connection.info?.server_name).not.toBe(hung);
      bus.assertConnected();
    } finally {
      cluster.resume(hung);
    }
  });

  it('lets a service start while one of the servers is down, and create what is missing', async () => {
    await cluster.kill('one');
    const bus = await connected(3);
    await streamOn(bus, 'NEW');
    await streamOn(bus, 'WHILE_DOWN');
    await bucketOn(bus, 'WHILE_DOWN');
    expect([await replicasOf(bus, 'WHILE_DOWN'), await replicasOf(bus, 'KV_WHILE_DOWN')]).toEqual([3, 3]);
    await cluster.restart('one');
    await eventually('the server to have what was stored without it', async () => {
      const { cluster: group } = await bus.jsm.streams.info('WHILE_DOWN');
      return group?.replicas?.every(({ current }) => current) === true;
    });
  });
});

describe('a single nats-server', () => {
  const started = new Started();
  afterAll(() => started.stopAll());

  it('is rejected when BUS_REPLICAS is more than 1', async () => {
    const { url } = started.add(await startNats());
    const connecting = (replicas: number): Promise<Bus> =>
      Bus.connect({ url, name: 'test', logger: quietLogger(), replicas });
    await expect(connecting(3)).rejects.toThrow('BUS_REPLICAS is 3, but this is a single nats-server and no cluster');
    const bus = started.add(await connecting(1).then((bus) => ({ bus, stop: () => bus.close() }))).bus;
    await ensureStream(bus, { name: 'ONE', subjects: ['one'], maxAgeMs: 3_600_000 });
  });
});
