import { withoutReceipt } from './backlog.js';
import type { Channel } from './channel.js';
import { isSameReceipt, type Receipt, type SessionEvent } from './session-event.js';

/** The number of withdrawn events that are remembered. */
const MAX_WITHDRAWN = 500;
/** Of delivered ones, which almost all channels have: it decides only if the confirmation was lost on its way to the sender. */
const MAX_DELIVERED = 100;

/** Withdraws an event that has not been delivered. The withdrawal is remembered for replicas of versions before. */
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

export function withDelivered(channel: Channel, events: readonly SessionEvent[]): Channel {
  const receipts = events.flatMap(({ receipt }) => receipt ?? []);
  if (receipts.length === 0) return channel;
  return { ...channel, delivered: [...(channel.delivered ?? []), ...receipts].slice(-MAX_DELIVERED) };
}

/** False also for an event that never was in the channel. */
export function wasDelivered({ delivered = [], held }: Channel, receipt: Receipt): boolean {
  const isIt = (each: Receipt | undefined): boolean => isSameReceipt(each, receipt);
  // One package may have more than are remembered, and versions before remembered none.
  return delivered.some(isIt) || (held?.events ?? []).some((event) => isIt(event.receipt));
}
