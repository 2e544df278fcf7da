import type { VendorProfile } from '@ringdown/vendor-profile';
import type { CollectorAddress } from './collector-address.js';
import type { CollectorClientOptions } from './collector-client.js';
import { FeedConnection, type FeedConnectionOptions } from './feed-connection.js';

export interface FeedsOptions extends CollectorClientOptions {
  readonly address: CollectorAddress;
  readonly profile: VendorProfile;
  readonly resumeAfterMs: number;
  readonly isBackfill?: boolean;
  readonly onConfiguration?: FeedConnectionOptions['onConfiguration'];
  /** Stops early; pending answers get a moment. */
  readonly signal: AbortSignal;
}

/** How long to wait for pending answers after an interrupt. */
const LAST_ANSWERS_MS = 2_000;

/** No collector answers at the address. The message is for the user of the program. */
export class NoCollector extends Error {
  override readonly name = 'NoCollector';
}

/** A connection for each front end, by its name. Throws {@link NoCollector} when no collector answers, or the program is interrupted before. */
export async function openFeeds(names: readonly string[], options: FeedsOptions): Promise<Map<string, FeedConnection>> {
  const connections = new Map(names.map((frontEnd) => [frontEnd, new FeedConnection({ ...options, frontEnd })]));
  const closeAll = (): void => {
    for (const each of connections.values()) each.close();
  };
  options.signal.addEventListener('abort', closeAll);
  try {
    for (const connection of connections.values()) await openOne(connection, options);
  } catch (error) {
    closeAll();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', closeAll);
  }
  options.signal.addEventListener('abort', () => setTimeout(closeAll, LAST_ANSWERS_MS).unref());
  return connections;
}

async function openOne(connection: FeedConnection, { address, signal }: FeedsOptions): Promise<void> {
  const opening = await connection.open();
  if (signal.aborted) throw new NoCollector(`interrupted before a collector answered at ${address.records.origin}`);
  if (!opening.ok) throw new NoCollector(`no collector answers at ${address.records.origin}: ${opening.reason}`);
}
