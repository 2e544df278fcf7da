import type {
  BusLosses,
  FeedPartition,
  RunningService,
  RunningServices as ServiceList,
} from '@ringdown/answers/services';
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

@Controller('api/services')
@OperatorsOnly()
export class ServicesController {
  constructor(
    private readonly running: RunningServices,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'feedAddress'>,
  ) {}

  @Get()
  async list(@Query() _query: NoQuery): Promise<ServiceList> {
    const { services, backlogs, losses, clocks, busNow } = await fromBus(this.running.now());
    return {
      items: services.map(
        ({ service, replica, host, version, since, saidAt, clockAheadSeconds, counts, partitions }) => ({
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- services of Ringdown report, with their own names
          service: service as RunningService['service'],
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
): FeedPartition {
  return {
    partition,
    subject: subjectNumber(partition),
    replica: services.findLast(({ partitions }) => partitions.includes(partition))?.replica ?? null,
    waitingMessages: messages,
    lagSeconds: oldestAt === undefined ? 0 : Math.max(0, (busNow - oldestAt) / 1_000),
  };
}

function lossesItem({ missingRecords, droppedMessages, shortened, shortenedAt }: KnownLosses): BusLosses {
  const busShortenedAt = shortenedAt === undefined ? null : isoTime(shortenedAt);
  return { missingRecords, droppedMessages, busShortened: shortened, busShortenedAt };
}
