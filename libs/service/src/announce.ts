import type { AcceptedRecords } from '@ringdown/contracts/records';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import type { ServiceReport } from './parse-report.js';
import { REPORT_MS, ServiceReports } from './service-reports.js';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessContext } from './service-context.js';

/** The metric behind a count of a report: its name without prefix, and the labels that must match. */
export interface CountSource {
  readonly metric: string;
  readonly where?: Readonly<Record<string, string>>;
}

export interface Announcement {
  readonly service: string;
  readonly counts?: Readonly<Record<string, CountSource>>;
  /** Partitions of the feed that the service reads now. */
  readonly partitions?: () => readonly number[];
  /** Records that the service has stored on the bus. */
  readonly accepted?: () => AcceptedRecords;
}

const PACKAGE_FILE = new URL('../../package.json', import.meta.url);

/**
 * Publishes on the bus, until that is closed, that a service runs and what it has counted. Operators see it; nothing
 * depends on it, so a failure is only logged.
 */
export function announce(
  { bus, logger, metrics }: Pick<ProcessContext, 'logger' | 'metrics'> & { readonly bus: Bus },
  announcement: Announcement,
): void {
  const reports = new ServiceReports(bus);
  const { service, partitions = () => [], accepted } = announcement;
  const about = {
    service,
    replica: bus.replica,
    host: hostname(),
    version: ownVersion(),
    since: Date.now(),
  };
  let isFailing = false;
  const publish = async (): Promise<void> => {
    try {
      bus.assertConnected();
      const counts = await announcedCounts(announcement, metrics);
      const stored = accepted === undefined ? {} : { accepted: accepted() };
      await reports.publish({ ...about, saidAt: Date.now(), counts, partitions: partitions(), ...stored });
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        logger.warn({ reason: errorReason(error) }, 'the report of this service could not be published; retrying');
      isFailing = true;
    }
  };
  const ended = new AbortController();
  const publishing = repeat(publish, ended.signal);
  bus.beforeClose(async () => {
    ended.abort();
    await publishing;
    try {
      bus.assertConnected();
      await reports.remove(about);
    } catch (error) {
      logger.debug({ reason: errorReason(error) }, 'the report of this service could not be removed; it will expire');
    }
  });
}

async function repeat(publish: () => Promise<void>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await publish();
    await sleep(REPORT_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
  }
}

async function announcedCounts(
  { counts = {} }: Announcement,
  metrics: ProcessContext['metrics'],
): Promise<ServiceReport['counts']> {
  const read = async ([name, { metric, where }]: [string, CountSource]): Promise<[string, number]> => [
    name,
    await metrics.total(metric, where),
  ];
  return Object.fromEntries(await Promise.all(Object.entries(counts).map(read)));
}

/** All parts of the product have one version. */
export function ownVersion(): string {
  const described: unknown = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'));
  if (typeof described === 'object' && described !== null && 'version' in described) return String(described.version);
  throw new Error('package.json of the service has no version');
}
