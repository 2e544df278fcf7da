import {
  partitionBacklogs,
  ServiceReports,
  type Bus,
  type PartitionBacklog,
  type Position,
  type ServiceReport,
} from '@ringdown/bus';
import { SharedReading } from '../live/shared-reading.js';
import type { CallStore } from '../store/call-store.js';

export interface RunningNow {
  readonly services: readonly ServiceReport[];
  /** Undefined while the database does not tell how far each has been read. */
  readonly backlogs: readonly PartitionBacklog[] | undefined;
}

/** Which services run and how far they are behind. Many may look at it at once. */
export class RunningServices {
  private readonly reports: ServiceReports;
  private readonly reading = new SharedReading(() => this.read());

  constructor(
    private readonly bus: Bus,
    private readonly store: CallStore,
  ) {
    this.reports = new ServiceReports(bus);
  }

  /** Rejects when the bus does not answer. */
  now(): Promise<RunningNow> {
    return this.reading.get();
  }

  private async read(): Promise<RunningNow> {
    const [services, positions] = await Promise.all([this.reports.all(), this.positions()]);
    return { services, backlogs: positions && (await partitionBacklogs(this.bus, positions)) };
  }

  private async positions(): Promise<ReadonlyMap<number, Position> | undefined> {
    try {
      return await this.store.positions();
    } catch {
      // Whatever it is, health and log say it; here it is a reason to show the rest all the more.
      return undefined;
    }
  }
}
