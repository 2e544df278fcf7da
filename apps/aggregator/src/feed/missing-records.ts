import { PARTITIONS } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { ServiceReports } from '@ringdown/service';
import type { CallStore } from '../store/calls/call-store.js';
import {
  acceptedRecords,
  storeAccepted,
  recordsRead,
  type AcceptedInPartition,
} from '../store/feed/collector-progress.js';
import type { Database } from '../store/database/database.js';
import { caughtUp } from './partition-progress.js';

export interface MissingRecordsOptions {
  readonly bus: Bus;
  readonly database: Database;
  readonly store: CallStore;
}

const ALL_PARTITIONS = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/**
 * Counts records that collectors of the last day have accepted and that were never read, although nothing is waiting on
 * the bus: the bus has lost them. The count is a minimum: a collector does not know of everything that the bus has
 * stored, and a killed collector has not reported its last seconds.
 */
export class MissingRecords {
  private readonly reports: ServiceReports;
  /** By partition, how many were missing when everything that the bus has of it had been read. */
  private readonly known = new Map<number, number>();

  constructor(private readonly options: MissingRecordsOptions) {
    this.reports = new ServiceReports(options.bus);
  }

  /** Rejects while bus or database are not reachable. */
  async count(): Promise<number> {
    const { bus, store, database } = this.options;
    await storeAccepted(
      database,
      (await this.reports.all()).flatMap((report) => report.accepted ?? []),
    );
    // In this order: what was accepted by then is on the bus, and what the bus had then was read.
    const accepted = await acceptedRecords(database);
    const reached = await caughtUp(bus, store, ALL_PARTITIONS);
    const read = await recordsRead(database, [...new Set(accepted.map(({ collector }) => collector))]);
    for (const partition of reached.keys()) this.known.set(partition, missingIn(partition, accepted, read));
    return [...this.known.values()].reduce((sum, records) => sum + records, 0);
  }
}

function missingIn(
  partition: number,
  accepted: readonly AcceptedInPartition[],
  read: ReadonlyMap<string, ReadonlyMap<number, number>>,
): number {
  const missing = accepted
    .filter((each) => each.partition === partition)
    .map(({ collector, records }) => records - (read.get(collector)?.get(partition) ?? 0));
  return missing.reduce((sum, records) => sum + Math.max(0, records), 0);
}
