import { append } from './append.js';
import { NEW_CHANNEL, type Channel } from './channel.js';
import { poll } from './poll.js';
import { wasDelivered, withdrawEvent } from './receipts.js';
import type { Receipt, SessionEvent } from './session-event.js';

const T = 1_700_000_000_000;

function receipt(number: number): Receipt {
  return { conversation: 'c', number };
}

function message(number: number): SessionEvent {
  const sender = { rel: 'conversation', href: '/c' };
  return { sender, type: 'completed', link: { rel: 'message', href: `/m/${number}` }, receipt: receipt(number) };
}

/** After the client has requested the next package. */
function polled(channel: Channel): Channel {
  return poll(channel, { ack: undefined, settings: {}, token: 'r.1' }, T).channel;
}

/** After the client has requested the next package and acknowledged it with another request. */
function acknowledged(channel: Channel): Channel {
  const { last, ...rest } = polled(channel);
  return poll({ ...rest, last }, { ack: last + 1, settings: {}, token: 'r.2' }, T).channel;
}

describe('an event whose sender waits for its delivery', () => {
  it('is delivered when it is in a package, and still is when the package is acknowledged', () => {
    const sent = append(NEW_CHANNEL, [message(1)], T);
    expect(wasDelivered(sent, receipt(1))).toBe(false);
    expect(wasDelivered(polled(sent), receipt(1))).toBe(true);
    const { held, ...after } = acknowledged(sent);
    expect(held).toBeNull();
    expect(wasDelivered({ ...after, held }, receipt(1))).toBe(true);
  });

  it('is not delivered by a channel that never had it', () => {
    const channel = acknowledged(append(NEW_CHANNEL, [message(2)], T));
    expect(wasDelivered(channel, receipt(1))).toBe(false);
    expect(wasDelivered(channel, { conversation: 'other', number: 2 })).toBe(false);
  });

  it('is not delivered after it was withdrawn, and cannot be withdrawn after its delivery', () => {
    const sent = append(NEW_CHANNEL, [message(1), message(2)], T);
    const withdrawn = polled(withdrawEvent(sent, receipt(1)));
    expect([1, 2].map((number) => wasDelivered(withdrawn, receipt(number)))).toEqual([false, true]);
    expect(withdrawEvent(withdrawn, receipt(2))).toBe(withdrawn);
  });

  it('is known as delivered in a package of an earlier version, which stored no list', () => {
    const { delivered, ...earlier } = polled(append(NEW_CHANNEL, [message(1)], T));
    expect(delivered).toEqual([receipt(1)]);
    expect(wasDelivered(earlier, receipt(1))).toBe(true);
  });

  it('is forgotten after a hundred others, unless its package is not acknowledged', () => {
    const all = Array.from({ length: 150 }, (_, n) => message(n + 1));
    const held = polled(append(NEW_CHANNEL, all, T));
    expect(wasDelivered(held, receipt(1))).toBe(true);
    const after = acknowledged(append(NEW_CHANNEL, all, T));
    expect(after.delivered).toHaveLength(100);
    expect([50, 51].map((number) => wasDelivered(after, receipt(number)))).toEqual([false, true]);
  });
});
