import { channelKey } from '../src/events/channel-key.js';
import type { EventChannels } from '../src/events/event-channels.js';
import { expanded } from '../src/events/people-event.js';
import type { SessionEvent } from '../src/events/session-event.js';

/**
 * The events that a session is going to receive, as `type rel href`, the oldest first: read from the store, since the
 * client would have to wait.
 */
export async function eventsFor(channels: EventChannels, applicationId = ''): Promise<readonly string[]> {
  const { held: deliveredEvents } = await channels.read(channelKey(applicationId, null));
  return [...inWords(deliveredEvents?.events ?? [], applicationId), ...(await waitingFor(channels, applicationId))];
}

/** The events that are in no package yet. */
export async function waitingFor(channels: EventChannels, applicationId: string): Promise<readonly string[]> {
  const { pending } = await channels.read(channelKey(applicationId, null));
  const events = pending.map(({ event }) => event);
  return inWords(events, applicationId);
}

function inWords(events: readonly SessionEvent[], applicationId: string): readonly string[] {
  return [...expanded(events)].map(
    ({ type, link }) => `${type} ${link.rel} ${link.href.split(applicationId)[1] ?? ''}`,
  );
}
