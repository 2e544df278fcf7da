import { NOTHING_PLAYED } from '@ringdown/call-capture/played-findings';
import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import type { Logger } from '@ringdown/observability';
import { ServiceReports } from '@ringdown/service';
import type { CaptureReport } from './capture-report.js';

interface Stored {
  /** The replica that reads the capture. */
  readonly replica: string;
  readonly report: CaptureReport;
}

const DAY_MS = 86_400_000;
const BUCKET = { name: 'CAPTURES', maxAgeMs: 7 * DAY_MS };
/** The oldest is forgotten. */
const KEPT = 100;

/** The reports about all captures, for every replica of the service: a bucket whose entries expire after a week. */
export class CaptureReports {
  private readonly services: ServiceReports;

  private constructor(
    private readonly bus: Bus,
    private readonly bucket: Bucket<Stored | undefined>,
  ) {
    this.services = new ServiceReports(bus);
  }

  static async open(bus: Bus): Promise<CaptureReports> {
    return new CaptureReports(bus, await Bucket.open({ bus, ...BUCKET, parse: storedOf }));
  }

  async add(report: CaptureReport): Promise<void> {
    await this.bucket.create(report.id, this.stored(report));
    const older = (await this.list()).slice(KEPT).filter(({ state }) => state !== 'reading');
    for (const { id } of older) await this.bucket.delete(id);
  }

  /** False if it was deleted meanwhile. */
  async replace(report: CaptureReport): Promise<boolean> {
    const known = await this.bucket.getNewest(report.id);
    return known !== undefined && this.bucket.update(report.id, this.stored(report), known.revision);
  }

  /** The newest first. */
  async list(): Promise<readonly CaptureReport[]> {
    const entries = [...(await this.bucket.entries()).values()].flatMap(({ value }) => value ?? []);
    const running = await this.runningReplicas();
    const reports = entries.map((stored) => unlessInterrupted(stored, running));
    return reports.sort((a, b) => b.receivedAt - a.receivedAt || (a.id < b.id ? -1 : 1));
  }

  async find(id: string): Promise<CaptureReport | undefined> {
    if (!/^[\da-f]{16}$/.test(id)) return undefined;
    const stored = (await this.bucket.get(id))?.value;
    return stored && unlessInterrupted(stored, await this.runningReplicas());
  }

  async delete(id: string): Promise<void> {
    await this.bucket.delete(id);
  }

  /** Reports what any replica deletes. Returns the function that unsubscribes. */
  onDeleted(logger: Logger, listener: (id: string) => void): () => void {
    return this.bucket.follow(logger, (id, stored) => {
      if (stored === undefined) listener(id);
    });
  }

  private stored(report: CaptureReport): Stored {
    return { replica: this.bus.replica, report };
  }

  private async runningReplicas(): Promise<ReadonlySet<string>> {
    const aggregators = (await this.services.all()).filter(({ service }) => service === 'aggregator');
    return new Set([this.bus.replica, ...aggregators.map(({ replica }) => replica)]);
  }
}

/** A replica that was killed cannot report that it no longer reads. */
function unlessInterrupted({ replica, report }: Stored, running: ReadonlySet<string>): CaptureReport {
  if (report.state !== 'reading' || running.has(replica)) return report;
  return {
    ...report,
    state: 'failed',
    code: 'interrupted',
    reason: 'The service that read it was restarted or is gone: send it again. Calls that were sent stay.',
  };
}

/** What reports of an earlier version do not have. */
const LATER: Partial<CaptureReport> = { ...NOTHING_PLAYED, uploader: null };

/** Undefined for a report in the format of another version. */
function storedOf(value: unknown): Stored | undefined {
  return isStored(value) ? { ...value, report: { ...LATER, ...value.report } } : undefined;
}

function isStored(value: unknown): value is Stored {
  const { replica, report }: Partial<Record<string, unknown>> = { ...Object(value) };
  const fields: Partial<Record<string, unknown>> = { ...Object(report) };
  const { id, frontEnd, state, receivedAt, callIds, unread } = fields;
  const numbers = ['size', 'bytesRead', 'packets', 'records', 'unreportedCalls'].map((name) => fields[name]);
  return (
    [replica, id, frontEnd, state].every((text) => typeof text === 'string') &&
    [receivedAt, ...numbers].every((number) => typeof number === 'number') &&
    Array.isArray(callIds) &&
    Array.isArray(unread)
  );
}
