import type { VendorProfile } from '@ringdown/vendor-profile';
import type { CollectorAddress } from '../delivery/collector-address.js';
import type { CollectorClientOptions } from '../delivery/collector-client.js';
import { FeedConnection } from '../delivery/feed-connection.js';

export interface FeedsOptions extends CollectorClientOptions {
  readonly address: CollectorAddress;
  readonly profile: VendorProfile;
  readonly resumeAfterMs: number;
}

/** There is no collector at the address. The message is for the person who started the program. */
export class NoCollector extends Error {
  override readonly name = 'NoCollector';
}

/** A connection for each front end, by its name. Throws {@link NoCollector} when nobody answers. */
export async function openFeeds(
  names: readonly string[],
  options: FeedsOptions,
): Promise<ReadonlyMap<string, FeedConnection>> {
  const connections = new Map(names.map((frontEnd) => [frontEnd, new FeedConnection({ ...options, frontEnd })]));
  for (const connection of connections.values()) {
    const opening = await connection.open();
    if (opening.ok) continue;
    for (const each of connections.values()) each.close();
    throw new NoCollector(`no collector answers at ${options.address.records.origin}: ${opening.reason}`);
  }
  return connections;
}
