import { collectorAnswersPattern, readFrontEndAnswersRequest } from '@ringdown/contracts/front-end-answers';
import { Bus } from '@ringdown/nats';
import { Metrics } from '@ringdown/observability';
import { announce } from '@ringdown/service';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { AnswersOfCollectors, type CollectorAnswers } from '../src/feed/collector-answers.js';
import { Surroundings, type Page, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

interface Shown {
  readonly name: string;
  readonly answers: readonly CollectorAnswers[] | null;
}

/** A collector that reports what it has replied, with its own connection. */
class SomeCollector {
  private constructor(private readonly bus: Bus) {}

  get replica(): string {
    return this.bus.replica;
  }

  /** `counts`: by front end in lower case; undefined for a collector that does not reply. */
  static async start(natsUrl: string, counts?: Readonly<Record<string, number>>): Promise<SomeCollector> {
    const logger = quietLogger();
    const bus = await Bus.connect({ url: natsUrl, name: 'collector', logger });
    announce({ bus, metrics: new Metrics(), logger }, { service: 'collector' });
    if (counts === undefined) return new SomeCollector(bus);
    const times = { firstAt: 1_767_225_600_000, lastAt: 1_767_225_660_000 };
    bus.respond(collectorAnswersPattern(bus.replica), (question) => {
      const answers = readFrontEndAnswersRequest(question).frontEnds.flatMap((frontEnd) => {
        const count = counts[frontEnd.toLowerCase()];
        return count === undefined ? [] : { frontEnd, count, unavailable: 2, ...times };
      });
      return { answers };
    });
    return new SomeCollector(bus);
  }

  /** Replies in an unknown format. */
  static async startOther(natsUrl: string, answer: object): Promise<SomeCollector> {
    const collector = await SomeCollector.start(natsUrl);
    const answers = [{ frontEnd: 'Fe1.example.test', count: 7, firstAt: 1, lastAt: 1, ...answer }];
    collector.bus.respond(collectorAnswersPattern(collector.replica), () => ({ answers }));
    return collector;
  }

  kill(): Promise<void> {
    return this.bus.connection.close();
  }

  stop(): Promise<void> {
    return this.bus.close();
  }
}

describe('the Count of the replies to a front end', () => {
  const started = new Started();
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    await around.publish(published(startXml({ callId: 'one', frontEnd: 'Fe1.example.test' })));
    await around.publish(published(startXml({ callId: 'two', frontEnd: 'fe2.example.test' })));
    await around.call(aggregator, 'one');
    await around.call(aggregator, 'two');
  });
  afterEach(() => started.stopAll());
  afterAll(() => around.stop());

  const startCollector = async (counts?: Readonly<Record<string, number>>): Promise<SomeCollector> =>
    started.add(await SomeCollector.start(around.nats.url, counts));

  /** Requests the counts until both are as expected; a new collector is known soon. */
  const counted = (first: readonly number[], second: readonly number[]): Promise<readonly Shown[]> =>
    eventually(JSON.stringify([first, second]), async () => {
      const { status, body } = await aggregator.get<Page<Shown>>('/api/front-ends', around.operator);
      if (status !== 200) return undefined;
      const counts = body.items.map(({ answers }) => answers?.map(({ count }) => count));
      return JSON.stringify(counts) === JSON.stringify([first, second]) ? body.items : undefined;
    });

  it('is returned for each collector that has replied to it', async () => {
    await counted([], []);
    const one = await startCollector({ 'fe1.example.test': 3 });
    await counted([3], []);
    await startCollector({ 'fe1.example.test': 40, 'fe2.example.test': 5 });
    const [first] = await counted([3, 40], [5]);
    expect(first?.answers?.[0]).toEqual({
      replica: one.replica,
      host: expect.stringMatching(/./),
      count: 3,
      unavailable: 2,
      since: '2026-01-01T00:00:00.000Z',
      lastAnswer: '2026-01-01T00:01:00.000Z',
    });
    const alone = await eventually('a reply of both collectors in time', async () => {
      const { body } = await aggregator.get<Shown>('/api/front-ends/FE1.EXAMPLE.TEST', around.operator);
      return body.answers?.length === 2 && body.answers;
    });
    expect(alone).toEqual(first?.answers);
  });

  it('is gone with its collector, and starts again with the next one', async () => {
    const killed = await startCollector({ 'fe1.example.test': 7 });
    await counted([7], []);
    await killed.kill();
    await counted([], []);
    const next = await startCollector({ 'fe1.example.test': 1 });
    const [first] = await counted([1], []);
    expect(first?.answers?.[0]?.replica).toBe(next.replica);
  });

  it('is returned by the other collectors when one does not reply, or not as expected', async () => {
    await startCollector();
    for (const answer of [{ count: 'seven' }, { firstAt: 9e15 }, { lastAt: -9e15 }, { unavailable: 'none' }])
      started.add(await SomeCollector.startOther(around.nats.url, answer));
    await startCollector({ 'fe2.example.test': 2 });
    const [first, second] = await counted([], [2]);
    expect([first?.name, second?.name]).toEqual(['Fe1.example.test', 'fe2.example.test']);
  });

  it('is not known while the bus is not reachable', async () => {
    const bus = await Bus.connect({ url: around.nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    const answers = new AnswersOfCollectors(bus, quietLogger());
    await startCollector({ 'fe1.example.test': 3 });
    await counted([3], []);
    const replies = await eventually('a reply of the collector in time', async () => {
      const counts = (await answers.to(['Fe1.example.test']))('Fe1.example.test');
      return counts?.length === 1 && counts;
    });
    expect(replies).toMatchObject([{ count: 3 }]);
    await around.nats.kill();
    await eventually('the outage of the bus to be reported', async () => (await answers.to(['x']))('x') === null);
    await around.nats.restart();
    await counted([3], []);
  });
});
