import { Controller, Get, Inject, Query } from '@nestjs/common';
import { subjectNumber } from '@ringdown/contracts/records';
import type { PartitionBacklog } from '@ringdown/feed-bus';
import type { ServiceReport } from '@ringdown/service';
import { isoTime } from '../calls/streams/report-source.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import type { KnownLosses } from '../feed/known-losses.js';
import { RunningServices } from '../feed/running-services.js';
import { fromBus } from './bus-fault.js';
import { NoQuery } from '../search/filter/limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

/** One running instance of a service. */
interface ServiceItem extends Pick<
  ServiceReport,
  'service' | 'replica' | 'host' | 'version' | 'counts' | 'partitions'
> {
  readonly since: string;
  readonly lastSeen: string;
  readonly clockAheadSeconds: number;
}

interface PartitionItem {
  readonly partition: number;
  /** Partitions with the same one wait for the same messages. */
  readonly subject: number;
  /** The aggregator that reads it; null while no aggregator reports that it does. */
  readonly replica: string | null;
  readonly waitingMessages: number;
  readonly lagSeconds: number;
}

/** Accepted records that the bus has lost, as far as is known. */
interface LossesItem {
  readonly missingRecords: number | null;
  readonly droppedMessages: number;
  readonly busShortened: number;
  readonly busShortenedAt: string | null;
}

interface ClocksItem {
  readonly aggregatorAheadSeconds: number;
  readonly busAheadSeconds: number;
}

interface ServicesAnswer {
  readonly items: readonly ServiceItem[];
  readonly partitions: readonly PartitionItem[] | null;
  readonly losses: LossesItem | null;
  readonly clocks: ClocksItem | null;
  /** Where front ends send their records, if the operator has set it. */
  readonly feedAddress: string | null;
}

@Controller('api/services')
@OperatorsOnly()
export class ServicesController {
  constructor(
    private readonly running: RunningServices,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'feedAddress'>,
  ) {}

  @Get()
  async list(@Query() _query: NoQuery): Promise<ServicesAnswer> {
    const { services, backlogs, losses, clocks, busNow } = await fromBus(this.running.now());
    return {
      items: services.map(
        ({ service, replica, host, version, since, saidAt, clockAheadSeconds, counts, partitions }) => ({
          service,
          replica,
          host,
          version,
          clockAheadSeconds,
          counts,
          partitions,
          since: isoTime(since),
          lastSeen: isoTime(saidAt),
        }),
      ),
      partitions: backlogs?.map((backlog) => partitionItem(backlog, services, busNow)) ?? null,
      losses: losses === undefined ? null : lossesItem(losses),
      clocks: clocks === undefined ? null : { aggregatorAheadSeconds: clocks.aggregator, busAheadSeconds: clocks.bus },
      feedAddress: this.settings.feedAddress ?? null,
    };
  }
}

function partitionItem(
  { partition, messages, oldestAt }: PartitionBacklog,
  services: readonly ServiceReport[],
  busNow: number,
): PartitionItem {
  return {
    partition,
    subject: subjectNumber(partition),
    replica: services.findLast(({ partitions }) => partitions.includes(partition))?.replica ?? null,
    waitingMessages: messages,
    lagSeconds: oldestAt === undefined ? 0 : Math.max(0, (busNow - oldestAt) / 1_000),
  };
}

function lossesItem({ missingRecords, droppedMessages, shortened, shortenedAt }: KnownLosses): LossesItem {
  const busShortenedAt = shortenedAt === undefined ? null : isoTime(shortenedAt);
  return { missingRecords, droppedMessages, busShortened: shortened, busShortenedAt };
}
