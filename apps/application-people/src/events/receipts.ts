import type { Channel } from './channel.js';
import type { Receipt } from './session-event.js';

/** The number of withdrawn events that are remembered. */
const MAX_WITHDRAWN = 500;

/**
 * Withdraws an event that has not been delivered; the withdrawal is remembered, so that a repeated request gets the
 * same result.
 */
export function withdrawEvent(channel: Channel, receipt: Receipt): Channel {
  const pending = channel.pending.filter(({ event }) => !isSame(event.receipt, receipt));
  if (pending.length === channel.pending.length) return channel;
  return withWithdrawn({ ...channel, pending }, [receipt]);
}

export function withWithdrawn(channel: Channel, receipts: readonly Receipt[]): Channel {
  if (receipts.length === 0) return channel;
  return { ...channel, takenBack: [...(channel.takenBack ?? []), ...receipts].slice(-MAX_WITHDRAWN) };
}

export function wasWithdrawn({ takenBack = [] }: Channel, receipt: Receipt): boolean {
  return takenBack.some((each) => isSame(each, receipt));
}

function isSame(one: Receipt | undefined, { conversation, number }: Receipt): boolean {
  return one?.conversation === conversation && one.number === number;
}
