import { jest } from '@jest/globals';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { assertStreamComplete, assertStreamWorks } from '@ringdown/nats/streams';
import { eventually } from '@ringdown/testing/eventually';
import { NatsCluster } from '@ringdown/testing/servers/nats-cluster';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { startCollector } from './collector-process.js';
import { makeFeedStreams } from './feed-owner.js';

jest.setTimeout(180_000);

describe('a collector on a cluster', () => {
  const started = new Started();
  let cluster: NatsCluster;
  let bus: Bus;

  beforeAll(async () => {
    cluster = started.add(await NatsCluster.start());
    await makeFeedStreams(cluster.urls, 3);
    const collector = await startCollector({ NATS_URL: cluster.urlOf('collector'), BUS_REPLICAS: '3' });
    started.add(collector);
    bus = await Bus.connect({ url: cluster.urls, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterAll(() => started.stopAll());

  it('is ready without one of three servers, and not without two', async () => {
    await eventually('all replicas', () =>
      assertStreamComplete(bus, RECORDS_STREAM).then(
        () => true,
        () => false,
      ),
    );
    await cluster.kill('three');
    await eventually(
      'a leader',
      () =>
        assertStreamWorks(bus, RECORDS_STREAM).then(
          () => true,
          () => false,
        ),
      30_000,
    );
    const reasonOf = (check: Promise<void>): Promise<string | undefined> =>
      check.then(
        () => undefined,
        (error: Error) => error.message,
      );
    const late = await eventually(
      'a missing replica',
      () => reasonOf(assertStreamComplete(bus, RECORDS_STREAM)),
      60_000,
    );
    expect(late).toMatch(/three/);
    await assertStreamWorks(bus, RECORDS_STREAM);
    await cluster.kill('two');
    const problem = await eventually(
      'the loss of most servers',
      () => reasonOf(assertStreamWorks(bus, RECORDS_STREAM)),
      60_000,
    );
    expect(problem).toMatch(
      /the stream RECORDS (has no leader|has only 1 of its 3 servers|does not answer)|no connection/,
    );
  });
});
