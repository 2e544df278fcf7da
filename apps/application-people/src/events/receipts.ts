import type { Channel } from './channel.js';
import type { Receipt } from './session-event.js';

/** The number of withdrawn events that are remembered. */
const TAKEN_BACK = 500;

/**
 * Withdraws an event that has not been delivered; the withdrawal is remembered, so that a repeated request gets the
 * same result.
 */
export function takeBack(channel: Channel, receipt: Receipt): Channel {
  const pending = channel.pending.filter(({ event }) => !isSame(event.receipt, receipt));
  if (pending.length === channel.pending.length) return channel;
  return withTakenBack({ ...channel, pending }, [receipt]);
}

export function withTakenBack(channel: Channel, receipts: readonly Receipt[]): Channel {
  if (receipts.length === 0) return channel;
  return { ...channel, takenBack: [...(channel.takenBack ?? []), ...receipts].slice(-TAKEN_BACK) };
}

export function wasTakenBack({ takenBack = [] }: Channel, receipt: Receipt): boolean {
  return takenBack.some((each) => isSame(each, receipt));
}

function isSame(one: Receipt | undefined, { conversation, number }: Receipt): boolean {
  return one?.conversation === conversation && one.number === number;
}
