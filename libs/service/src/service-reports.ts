import type { Bus } from '@ringdown/nats';
import { Bucket, EntryWriter } from '@ringdown/nats/buckets';
import { parseReport, type ServiceReport } from './parse-report.js';

/** A report as stored on the bus. */
export interface StoredReport extends ServiceReport {
  /** How far the clock of the service is ahead of that of the bus, seconds; the delay of the message reduces it. */
  readonly clockAheadSeconds: number;
}

/** How often a service reports, and after how long without a report it counts as gone. */
export const REPORT_MS = 3_600;
const GONE_MS = 10_800;
const BUCKET = { name: 'SERVICES', maxAgeMs: GONE_MS };

/** The running services, by their reports: a bucket whose entries expire when they are not written again. */
export class ServiceReports {
  private bucket: Promise<Bucket<ServiceReport>> | undefined;

  private readonly writer: EntryWriter<ServiceReport>;

  constructor(private readonly bus: Bus) {
    this.writer = new EntryWriter(bus, BUCKET.name);
  }

  /** Creates the bucket or updates its limits, in the account of the feed: other services can only write their entries. */
  static ensureBucket(bus: Bus): Promise<void> {
    return Bucket.ensure({ bus, ...BUCKET });
  }

  async publish(report: ServiceReport): Promise<void> {
    await this.writer.put(replicaKey(report), report);
  }

  /** At the end of a service, so that it disappears at once and not after a time limit. */
  async remove(report: Pick<ServiceReport, 'service' | 'replica'>): Promise<void> {
    await this.writer.delete(replicaKey(report));
  }

  /** Those that can be read, sorted by service and then by time of start. */
  async all(): Promise<readonly StoredReport[]> {
    this.bus.assertConnected();
    const entries = await (await this.open()).entries();
    return [...entries.values()]
      .map(({ value, storedAt }) => ({ ...value, clockAheadSeconds: (value.saidAt - storedAt) / 1_000 }))
      .sort((a, b) => a.service.localeCompare(b.service, 'en') || a.since - b.since);
  }

  private open(): Promise<Bucket<ServiceReport>> {
    if (this.bucket === undefined) {
      const { bus } = this;
      const opening = Bucket.open({ bus, ...BUCKET, parse: parseReport, role: 'user' });
      this.bucket = opening;
      opening.catch(() => (this.bucket = undefined));
    }
    return this.bucket;
  }
}

function replicaKey({ service, replica }: Pick<ServiceReport, 'service' | 'replica'>): string {
  return `${service}.${replica}`;
}
