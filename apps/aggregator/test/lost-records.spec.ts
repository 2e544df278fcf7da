import { PARTITIONS, partitionOfCall } from '@ringdown/contracts/records';
import { RecordPublisher } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { Metrics } from '@ringdown/observability';
import { announce } from '@ringdown/service';
import { BusCopy } from '@ringdown/testing/servers/bus-copy';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { LogLine } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

interface Services {
  readonly items: readonly { readonly service: string }[];
  readonly losses: {
    readonly missingRecords: number | null;
    readonly busShortened: number;
    readonly busShortenedAt: string | null;
  } | null;
}

const WARN = 40;
const ERROR = 50;

const isOfLoss = ({ msg }: LogLine): boolean =>
  msg.startsWith('collectors have accepted records that the bus has lost');
const isCollector = ({ service }: { readonly service: string }): boolean => service === 'collector';
const isOfRereading = ({ msg }: LogLine): boolean => msg.includes('no longer contains the message that was read last');

describe('records that the bus has lost before they were read', () => {
  const started = new Started();
  let folder: string;
  let around: Surroundings;
  /** Of all aggregators that start after the loss. */
  const { logger, lines } = loggedLines();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-lost-'));
    around = started.add(await Surroundings.start({ busFolder: folder }));
  });
  afterAll(() => started.stopAll());

  const startAggregator = (): Promise<RunningAggregator> => around.startAggregator({}, logger);
  const services = async (aggregator: RunningAggregator): Promise<Services['items']> =>
    (await aggregator.get<Services>('/api/services', around.operator)).body.items;
  const shown = async (aggregator: RunningAggregator): Promise<Services['losses']> =>
    (await aggregator.get<Services>('/api/services', around.operator)).body.losses;

  it('are counted by what collectors accepted, also after their end, and the shortened bus is reported', async () => {
    const bus = await Bus.connect({ url: around.nats.url, name: 'collector', logger: quietLogger() });
    const publisher = new RecordPublisher({ bus, deadlineMs: 60_000 });
    announce(
      { bus, metrics: new Metrics(), logger: quietLogger() },
      { service: 'collector', accepted: () => publisher.accepted },
    );
    const publish = async (prefix: string, calls: number): Promise<void> => {
      for (let n = 0; n < calls; n++) await publisher.publish(published(startXml({ callId: `${prefix}-${n}` })));
    };
    const first = await around.startAggregator();
    const copy = started.add(await BusCopy.create(around.nats, folder));
    await publish('read', 10);
    await around.call(first, 'read-9');
    expect(await eventually('the first count', async () => (await shown(first))?.missingRecords === 0)).toBe(true);
    await first.stop();
    await publish('unread', 7);
    await copy.restore();
    await publish('after', 3);

    const next = await startAggregator();
    for (const n of [0, 1, 2]) await around.call(next, `after-${n}`);
    const losses = await eventually('the loss to be shown', async () => {
      const now = await shown(next);
      return now?.missingRecords === 7 ? now : undefined;
    });
    expect(losses).toMatchObject({
      missingRecords: 7,
      busShortened: expect.any(Number),
      busShortenedAt: expect.stringMatching(/Z$/),
    });
    expect(await next.metric(/aggregator_missing_records (\d+)/)).toBe('7');
    expect(await next.metric(/aggregator_bus_shortened (\d+)/)).toMatch(/^[1-9]/);
    expect(lines.filter(isOfLoss)).toContainEqual(expect.objectContaining({ level: ERROR, records: 7 }));
    const shortened = 'the bus has lost its newest messages';
    expect(lines.find(({ msg }) => msg.startsWith(shortened))?.level).toBe(ERROR);
    expect(lines.filter(isOfRereading).map(({ level }) => level)).toContain(WARN);

    // As after a power failure, when collectors have been restarted, too.
    await bus.close();
    await eventually('the collector to be gone', async () => !(await services(next)).some(isCollector));
    const later = await startAggregator();
    const counted = await eventually('a new count', async () => (await shown(later))?.missingRecords ?? undefined);
    expect(counted).toBe(7);
  });

  it('are not reported as lost when partitions change hands', async () => {
    const first = await startAggregator();
    // Each partition detects its own loss, at the latest with its first record after the loss.
    const ofAllPartitions = Array.from({ length: 40 }, (_, n) => `all-${n}`);
    expect(new Set(ofAllPartitions.map(partitionOfCall)).size).toBe(PARTITIONS);
    await around.publish(...ofAllPartitions.map((callId) => published(startXml({ callId }))));
    for (const callId of ofAllPartitions) await around.call(first, callId);
    const before = await eventually('the count', async () => (await shown(first))?.busShortened);
    const linesBefore = lines.length;
    for (let round = 0; round < 3; round++) {
      const other = await startAggregator();
      await around.publish(
        ...Array.from({ length: 20 }, (_, n) => published(startXml({ callId: `hands-${round}-${n}` }))),
      );
      await other.stop();
    }
    const last = await startAggregator();
    await around.call(last, 'hands-2-19');
    expect(await eventually('the count of the last', async () => (await shown(last))?.busShortened)).toBe(before);
    expect(lines.slice(linesBefore).filter(isOfRereading)).toEqual([]);
  });
});
