import { Controller, Get, Query } from '@nestjs/common';
import type { PartitionBacklog, ServiceReport } from '@ringdown/bus';
import { isoTime } from '../calls/report-source.js';
import { RunningServices } from '../feed/running-services.js';
import { fromBus } from './bus-fault.js';
import { noParameters } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

/** One running copy of a service. */
interface ServiceItem extends Pick<
  ServiceReport,
  'service' | 'replica' | 'host' | 'version' | 'counts' | 'partitions'
> {
  readonly since: string;
  readonly lastSeen: string;
}

interface PartitionItem {
  readonly partition: number;
  /** Of the aggregator that reads it; null while nobody says so. */
  readonly replica: string | null;
  readonly waitingMessages: number;
  readonly lagSeconds: number;
}

@Controller('api/services')
@OperatorsOnly()
export class ServicesController {
  constructor(private readonly running: RunningServices) {}

  @Get()
  async list(
    @Query() query: unknown,
  ): Promise<{ items: readonly ServiceItem[]; partitions: readonly PartitionItem[] | null }> {
    noParameters(query);
    const { services, backlogs } = await fromBus(this.running.now());
    return {
      items: services.map(({ since, saidAt, ...rest }) => ({
        ...rest,
        since: isoTime(since),
        lastSeen: isoTime(saidAt),
      })),
      partitions: backlogs?.map((backlog) => partitionItem(backlog, services)) ?? null,
    };
  }
}

function partitionItem(
  { partition, messages, oldestAt }: PartitionBacklog,
  services: readonly ServiceReport[],
): PartitionItem {
  return {
    partition,
    replica: services.findLast(({ partitions }) => partitions.includes(partition))?.replica ?? null,
    waitingMessages: messages,
    lagSeconds: oldestAt === undefined ? 0 : Math.max(0, (Date.now() - oldestAt) / 1_000),
  };
}
