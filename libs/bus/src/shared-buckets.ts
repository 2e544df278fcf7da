import { Bucket } from './bucket.js';
import { isNotAllowed, reasonOf, type Bus } from './bus.js';
import { FORGOTTEN_AFTER_MS } from './known-front-ends.js';
import { GONE_MS } from './service-reports.js';

/**
 * Brings the buckets up to date that every service, or a service that faces anonymous input, writes: those may not change
 * them (ADR 0039). Where the bus still has the rights of an older version they stay as they are.
 */
export async function ensureSharedBuckets(bus: Bus): Promise<void> {
  const shared = [
    { name: 'SERVICES', maxAgeMs: GONE_MS },
    { name: 'FRONT_ENDS', maxAgeMs: FORGOTTEN_AFTER_MS },
  ] as const;
  for (const each of shared) {
    try {
      await Bucket.open({ bus, ...each, parse: Object });
    } catch (error) {
      if (!isNotAllowed(error)) throw error;
      bus.logger.warn({ bucket: each.name, reason: reasonOf(error) }, 'a bucket keeps the limits that it had');
    }
  }
}
