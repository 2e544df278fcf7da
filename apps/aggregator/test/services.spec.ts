import { PARTITIONS } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { Metrics } from '@ringdown/observability';
import { announce, ServiceReports } from '@ringdown/service';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { shortestMs } from '@ringdown/testing/timing';
import { Surroundings, type Answer, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

interface Running {
  readonly items: readonly {
    readonly service: string;
    readonly replica: string;
    readonly host: string;
    readonly version: string;
    readonly since: string;
    readonly lastSeen: string;
    readonly clockAheadSeconds: number;
    readonly counts: Readonly<Record<string, number>>;
    readonly partitions: readonly number[];
  }[];
  readonly partitions:
    | readonly {
        readonly partition: number;
        readonly replica: string | null;
        readonly waitingMessages: number;
        readonly lagSeconds: number;
      }[]
    | null;
  readonly losses: Losses | null;
  readonly clocks: { readonly aggregatorAheadSeconds: number; readonly busAheadSeconds: number } | null;
}

interface Losses {
  readonly missingRecords: number | null;
  readonly droppedMessages: number;
  readonly busShortened: number;
  readonly busShortenedAt: string | null;
}

describe('running services', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;
  const { logger, lines } = loggedLines();

  beforeAll(async () => {
    around = await Surroundings.start({ ownDatabase: true });
    aggregator = await around.startAggregator({}, logger);
    await around.publish(published(startXml({ callId: 'first' })));
    await around.call(aggregator, 'first');
  });
  afterAll(() => around.stop());

  const request = (token = around.operator): Promise<Answer<Running & Problem>> =>
    aggregator.get<Running & Problem>('/api/services', token);
  /** Requests the list until it is as expected. */
  const running = (what: string, is: (running: Running) => boolean): Promise<Running> =>
    eventually(what, async () => {
      const { status, body } = await request();
      return status === 200 && is(body) ? body : undefined;
    });
  const allRead = ({ partitions }: Running): boolean => partitions?.every(({ replica }) => replica !== null) ?? false;
  const aggregators = ({ items }: Running): Running['items'] => items.filter(({ service }) => service === 'aggregator');

  /** A service of another process: its connection is its own. */
  async function startCollector(): Promise<{ readonly bus: Bus; readonly metrics: Metrics }> {
    const bus = await Bus.connect({ url: around.nats.url, name: 'collector', logger: quietLogger() });
    const metrics = new Metrics();
    const records = metrics.counter('collector_records_total', 'Records', ['kind']);
    records.inc({ kind: 'ended' }, 2);
    records.inc({ kind: 'error' }, 3);
    const counts = { accepted: { metric: 'collector_records_total' } };
    announce({ bus, metrics, logger: quietLogger() }, { service: 'collector', counts });
    return { bus, metrics };
  }

  it('report their names, counts and partitions', async () => {
    const body = await running(
      'all partitions read',
      (each) => allRead(each) && aggregators(each)[0]?.counts['folded'] === 1,
    );
    expect(body.items).toEqual([
      {
        service: 'aggregator',
        replica: expect.stringMatching(/^[\da-f]{12}$/),
        host: expect.stringMatching(/./),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        since: expect.stringMatching(/Z$/),
        lastSeen: expect.stringMatching(/Z$/),
        clockAheadSeconds: expect.closeTo(0, -1),
        counts: { folded: 1, duplicates: 0, setAside: 0, liveReaders: 0 },
        partitions: Array.from({ length: PARTITIONS }, (_, partition) => partition),
      },
    ]);
    expect(body.partitions).toEqual(
      Array.from({ length: PARTITIONS }, (_, partition) => {
        return { partition, subject: partition, replica: body.items[0]?.replica, waitingMessages: 0, lagSeconds: 0 };
      }),
    );
  });

  it('report that nothing is lost, and the differences between clocks', async () => {
    const body = await running('what is missing to be counted', ({ losses }) => losses?.missingRecords === 0);
    expect(body.losses).toEqual({ missingRecords: 0, droppedMessages: 0, busShortened: 0, busShortenedAt: null });
    expect(body.clocks).toEqual({
      aggregatorAheadSeconds: expect.closeTo(0, -1),
      busAheadSeconds: expect.closeTo(0, -1),
    });
  });

  it('are listed separately, until they end', async () => {
    const [one, other] = [await startCollector(), await startCollector()];
    const collectors = ({ items }: Running): Running['items'] => items.filter(({ service }) => service === 'collector');
    const both = await running('both collectors', (each) => collectors(each).length === 2);
    expect(collectors(both).map(({ counts }) => counts)).toEqual([{ accepted: 5 }, { accepted: 5 }]);
    expect(new Set(collectors(both).map(({ replica }) => replica)).size).toBe(2);
    await one.bus.close();
    expect(collectors((await request()).body)).toHaveLength(1);
    await other.bus.close();
    expect(collectors((await request()).body)).toEqual([]);
  });

  it('are dropped within 15 seconds when they are killed', async () => {
    const msToBeMissed = async (): Promise<number> => {
      const { bus } = await startCollector();
      await running('the collector', ({ items }) => items.some(({ service }) => service === 'collector'));
      const killedAt = performance.now();
      await bus.connection.close();
      await running('it to be missed', ({ items }) => items.every(({ service }) => service !== 'collector'));
      return performance.now() - killedAt;
    };
    expect(await shortestMs(15_000, msToBeMissed)).toBeLessThan(15_000);
  });

  it('share the partitions, and take over those of a stopped aggregator', async () => {
    const other = await around.startAggregator();
    const shared = await running('two that share', (each) => {
      return aggregators(each).every(({ partitions }) => partitions.length === PARTITIONS / 2) && allRead(each);
    });
    expect(aggregators(shared)).toHaveLength(2);
    await other.stop();
    const alone = await running('one that reads all', (each) => {
      return aggregators(each)[0]?.partitions.length === PARTITIONS && allRead(each);
    });
    expect(aggregators(alone)).toHaveLength(1);
  });

  it('cause a warning and a metric when their clocks differ', async () => {
    const days = 40;
    const collector = { service: 'collector', replica: '0123456789ab', host: 'other', version: '1.0.0', since: 0 };
    const reports = new ServiceReports(around.bus);
    const warning = await eventually('the warning', async () => {
      await reports.publish({ ...collector, saidAt: Date.now() + days * 86_400_000, counts: {}, partitions: [] });
      return lines.find(({ level, msg }) => level === 40 && msg.startsWith('clocks differ'));
    });
    expect(warning).toMatchObject({ secondsAheadOfDatabase: { collector: expect.any(Number) } });
    const seconds = await aggregator.metric(/aggregator_clock_ahead_seconds\{clock="collector"\} (\S+)/);
    expect(Number(seconds) / 86_400).toBeCloseTo(days, 1);
    await reports.remove(collector);
  });

  const report = { service: 'collector', replica: '0123456789ab', host: 'other', version: '1.0.0', counts: {} };
  const reported = { ...report, since: 0, saidAt: 0, partitions: [] };
  const [ofCollector, ofAggregator] = ['collector.0123456789ab', 'aggregator.0123456789ab'];
  it.each([
    ['no JSON', ofCollector, '{'],
    ['another format', ofCollector, { service: 'collector' }],
    ['a wildcard as key', 'collector.*', { ...reported, replica: '*' }],
    ['the key of another service', ofAggregator, reported],
    ['the name of another service', ofCollector, { ...reported, service: 'aggregator' }],
    ['the name of another replica', ofCollector, { ...reported, replica: 'ba9876543210' }],
    ['a time that none can be', ofCollector, { ...reported, since: 9e15 }],
    [
      'a number that JSON has not',
      ofCollector,
      JSON.stringify({ ...reported, counts: { accepted: 7 } }).replace('7', '1e999'),
    ],
    ['partitions of the feed', ofCollector, { ...reported, partitions: [0] }],
    ['accepted records of no collector', ofCollector, { ...reported, accepted: { collector: '\0', byPartition: [1] } }],
    [
      'accepted records of too many partitions',
      ofCollector,
      { ...reported, accepted: { collector: 'ab', byPartition: Array(9).fill(0) } },
    ],
    ['accepted records below none', ofCollector, { ...reported, accepted: { collector: 'ab', byPartition: [-1] } }],
    [
      'accepted records of another service',
      'subscribers.0123456789ab',
      { ...reported, service: 'subscribers', accepted: { collector: 'ab', byPartition: [1] } },
    ],
  ])('are omitted when a report has %s, and hide no others', async (_what, key, value) => {
    const body = typeof value === 'string' ? value : JSON.stringify(value);
    await around.bus.js.publish(`$KV.SERVICES.${key}`, body);
    const { status, body: listed } = await request();
    expect([status, listed.items?.map(({ service }) => service)]).toEqual([200, ['aggregator']]);
    expect(listed.partitions?.map(({ replica }) => replica)).toEqual(
      listed.partitions?.map(() => listed.items[0]?.replica),
    );
    await around.bus.jsm.streams.purge('KV_SERVICES', {
      filter: key.endsWith('*') ? '$KV.SERVICES.collector.>' : `$KV.SERVICES.${key}`,
    });
  });

  it('have their clocks compared and their losses counted beside a report that cannot be read', async () => {
    await around.bus.js.publish('$KV.SERVICES.collector.*', '{');
    await around.bus.js.publish('$KV.SERVICES.collector.cdcdcdcdcdcd', '{');
    const days = 50;
    const collector = { ...reported, replica: 'ababababab01', since: Date.now() };
    const accepted = { collector: 'abab', byPartition: [0, 0, 0, 0, 0, 0, 0, 11] };
    const reports = new ServiceReports(around.bus);
    const both = await eventually('the clock and the losses', async () => {
      await around.bus.js.publish('$KV.SERVICES.collector.*', '{');
      await reports.publish({ ...collector, saidAt: Date.now() + days * 86_400_000, accepted });
      const seconds = await aggregator.metric(/aggregator_clock_ahead_seconds\{clock="collector"\} (\S+)/);
      const { losses } = (await request()).body;
      return Math.round(Number(seconds) / 86_400) === days && losses?.missingRecords === 11;
    });
    expect(both).toBe(true);
    await reports.remove(collector);
    await around.bus.jsm.streams.purge('KV_SERVICES', { filter: '$KV.SERVICES.collector.>' });
  });

  it('are listed for operators only, and only with valid parameters', async () => {
    expect((await request('made-up')).status).toBe(401);
    expect((await request(around.user)).status).toBe(403);
    const wrong = await aggregator.get<Problem>('/api/services?limit=5', around.operator);
    expect([wrong.status, wrong.body.parameters?.[0]?.name]).toEqual([400, 'limit']);
  });

  it('are still listed while the database is not reachable, without backlogs', async () => {
    await around.database.kill();
    const body = await running('the answer', ({ partitions }) => partitions === null);
    expect(aggregators(body)).toHaveLength(1);
    await around.database.restart();
    await running('how far it is behind', ({ partitions }) => partitions !== null);
  });

  it('cannot be listed while the bus is not reachable', async () => {
    await around.nats.kill();
    const answer = await eventually('503', async () => {
      const response = await request();
      return response.status === 503 ? response : undefined;
    });
    expect(answer.body.code).toBe('unavailable');
    await around.nats.restart();
    await running('the aggregator', (each) => aggregators(each).length === 1);
  });
});
