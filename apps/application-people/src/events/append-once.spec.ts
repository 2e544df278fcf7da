import { appendOnce } from './append-once.js';
import { NEW_CHANNEL, type Channel } from './channel.js';
import { poll } from './poll.js';
import { BOUNDS } from './release.js';
import { wasDelivered, withdrawEvent } from './receipts.js';
import type { SessionEvent } from './session-event.js';

const T = 1_700_000_000_000;

function message(number: number, source = 'c1'): SessionEvent {
  const sender = { rel: 'conversation', href: `/${source}` };
  const link = { rel: 'message', href: `/${source}/${number}` };
  return { sender, type: 'completed', link, receipt: { conversation: source, number } };
}

function delivered(channel: Channel, numbers: readonly number[], source = 'c1'): Channel {
  const parts = numbers.map((sequence) => ({ sequence, events: [message(sequence, source)] }));
  return appendOnce(channel, { source, parts }, T);
}

function hrefs({ pending }: Channel): readonly string[] {
  return pending.map(({ event }) => event.link.href);
}

describe('events that their source delivers repeatedly', () => {
  it('are in the channel once, even after they have been acknowledged', () => {
    const first = delivered(NEW_CHANNEL, [1, 2]);
    const second = delivered(first, [1, 2, 3]);
    expect(hrefs(second)).toEqual(['/c1/1', '/c1/2', '/c1/3']);
    expect(delivered(second, [2, 3])).toBe(second);
    const emptied = { ...second, pending: [], last: 1 };
    expect(delivered(emptied, [1, 2, 3])).toBe(emptied);
    expect(hrefs(delivered(emptied, [4]))).toEqual(['/c1/4']);
  });

  it('do not affect another source', () => {
    expect(hrefs(delivered(delivered(NEW_CHANNEL, [5]), [1], 'c2'))).toEqual(['/c1/5', '/c2/1']);
  });

  it('are remembered for as many sources as a session can have conversations', () => {
    let channel = NEW_CHANNEL;
    for (let source = 0; source < 250; source++) channel = delivered({ ...channel, pending: [] }, [1], `s${source}`);
    expect(delivered(channel, [1], 's0')).toBe(channel);
    const more = delivered({ ...channel, pending: [] }, [1], 'one more');
    expect(more.heard).toHaveLength(250);
  });
});

describe('a withdrawn event', () => {
  const receipt = { conversation: 'c1', number: 2 };

  it('is not delivered to anyone, and a repeated withdrawal gets the same result', () => {
    const channel = withdrawEvent(delivered(NEW_CHANNEL, [1, 2, 3]), receipt);
    expect(hrefs(channel)).toEqual(['/c1/1', '/c1/3']);
    expect(channel.takenBack).toEqual([receipt]);
    expect(withdrawEvent(channel, receipt)).toBe(channel);
  });

  it('may also be one that was lost in an overflow of the channel', () => {
    const parts = [4, 5].map((sequence) => ({ sequence, events: [message(sequence)] }));
    const full = appendOnce(delivered(NEW_CHANNEL, [1, 2, 3]), { source: 'c1', parts }, T, { ...BOUNDS, events: 4 });
    expect([full.pending, full.last]).toEqual([[], 1]);
    expect(full.takenBack).toEqual([1, 2, 3, 4, 5].map((number) => ({ conversation: 'c1', number })));
  });

  it('stays when it was already delivered', () => {
    const { channel } = poll(delivered(NEW_CHANNEL, [1, 2]), { ack: 1, settings: {}, token: 'r.1' }, T);
    expect(withdrawEvent(channel, receipt)).toBe(channel);
    expect(wasDelivered(channel, receipt)).toBe(true);
  });
});
