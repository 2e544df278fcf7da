import { withoutReceipt } from './backlog.js';
import type { Channel } from './channel.js';
import { isSameReceipt, type Receipt } from './session-event.js';

/** The number of withdrawn events that are remembered. */
const MAX_WITHDRAWN = 500;

/**
 * Withdraws an event that has not been delivered; the withdrawal is remembered, so that a repeated request gets the
 * same result.
 */
export function withdrawEvent(channel: Channel, receipt: Receipt): Channel {
  const isIt = (each: Receipt | undefined): boolean => isSameReceipt(each, receipt);
  const pending = channel.pending.filter(({ event }) => !isIt(event.receipt));
  if (pending.length < channel.pending.length) return withWithdrawn({ ...channel, pending }, [receipt]);
  const { backlog = [] } = channel;
  if (!backlog.some(({ receipts }) => receipts.some(isIt))) return channel;
  const left = backlog.flatMap((part) => (part.receipts.some(isIt) ? withoutReceipt(part, receipt) : [part]));
  return withWithdrawn({ ...channel, backlog: left }, [receipt]);
}

export function withWithdrawn(channel: Channel, receipts: readonly Receipt[]): Channel {
  if (receipts.length === 0) return channel;
  return { ...channel, takenBack: [...(channel.takenBack ?? []), ...receipts].slice(-MAX_WITHDRAWN) };
}

export function wasWithdrawn({ takenBack = [] }: Channel, receipt: Receipt): boolean {
  return takenBack.some((each) => isSameReceipt(each, receipt));
}
