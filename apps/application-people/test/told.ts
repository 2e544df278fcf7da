import { channelKey } from '../src/events/channel-key.js';
import type { EventChannels } from '../src/events/event-channels.js';

/** What a session is going to be told, as `type rel href`, the oldest first: read beside the client, which has to wait. */
export async function toldTo(channels: EventChannels, applicationId = ''): Promise<readonly string[]> {
  const { held, pending } = await channels.read(channelKey(applicationId, null));
  const events = [...(held?.events ?? []), ...pending.map(({ event }) => event)];
  return events.map(({ type, link }) => `${type} ${link.rel} ${link.href.split(applicationId)[1] ?? ''}`);
}
