/** Stream with the newest state of every event channel. */
export const CHANNELS_STREAM = 'CHANNELS';

/** The subject of the state of an event channel: one application, one of its instances. */
export function channelSubject(applicationId: string, instance: string): string {
  return `ringdown.channels.${applicationId}.${instance}`;
}

/** Not durable: notifies one replica of application-people of the results of polls that it holds. */
export function pollsWakeSubject(replica: string): string {
  return `ringdown.polls.wake.${replica}`;
}

/** Request and reply: whether a replica of application-people still holds a poll. */
export function pollsHeldPattern(replica: string): string {
  return `ringdown.polls.held.${replica}`;
}
