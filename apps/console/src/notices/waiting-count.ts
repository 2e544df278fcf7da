import type { Thread } from '../people/threads.js';

/** How many messages and invitations wait for the user. */
export function waitingCount(threads: readonly Pick<Thread, 'unread' | 'invitation'>[]): number {
  return threads.reduce((sum, { unread, invitation }) => sum + unread + (invitation === undefined ? 0 : 1), 0);
}
