import { CoalescedTask } from '@ringdown/concurrency';
import { partitionBacklogs, type PartitionBacklog, type Position } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import { ServiceReports, type StoredReport } from '@ringdown/service';
import type { CallStore } from '../store/calls/call-store.js';
import type { FeedPartitions } from '../store/feed/feed-partitions.js';
import type { ClockDifferences, ClockWatch } from './clock-watch.js';
import type { KnownLosses } from './known-losses.js';
import type { LossWatch } from './loss-watch.js';

export interface RunningNow {
  readonly services: readonly StoredReport[];
  /** Undefined while the database does not report how far each has been read. */
  readonly backlogs: readonly PartitionBacklog[] | undefined;
  /** Undefined while the database does not reply. */
  readonly losses: KnownLosses | undefined;
  /** Undefined before they were compared. */
  readonly clocks: ClockDifferences | undefined;
  /** The clock of the bus, milliseconds since 1970, as far as it is known. */
  readonly busNow: number;
}

export interface RunningServicesOptions {
  readonly bus: Bus;
  readonly store: CallStore;
  readonly partitions: FeedPartitions;
  readonly losses: LossWatch;
  readonly clocks: ClockWatch;
}

/** Which services run and how far they are behind. Many clients may request it at once. */
export class RunningServices {
  private readonly reports: ServiceReports;
  private readonly reading = new CoalescedTask(() => this.read());

  constructor(private readonly options: RunningServicesOptions) {
    this.reports = new ServiceReports(options.bus);
  }

  /** Rejects when the bus does not reply. */
  now(): Promise<RunningNow> {
    return this.reading.run();
  }

  private async read(): Promise<RunningNow> {
    const { bus, losses, clocks, partitions } = this.options;
    const [services, positions, lost] = await Promise.all([
      this.reports.all(),
      this.positions(),
      // Health and log report the error; here it is one more reason to show the rest.
      losses.known().catch(() => undefined),
    ]);
    const all = Array.from({ length: partitions.count }, (_, partition) => partition);
    const backlogs = positions && (await partitionBacklogs(bus, positions, all));
    const busNow = clocks.now() + (clocks.differences?.bus ?? 0) * 1_000;
    return { services, backlogs, losses: lost, clocks: clocks.differences, busNow };
  }

  private async positions(): Promise<ReadonlyMap<number, Position> | undefined> {
    try {
      return await this.options.store.positions();
    } catch {
      return undefined;
    }
  }
}
