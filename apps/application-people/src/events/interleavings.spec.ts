import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { append } from './append.js';
import { NEW_CHANNEL, type Channel } from './channel.js';
import { poll, POLL_RULES, withdraw, pollWaiterState, type PollOutcome } from './poll.js';
import { wasDelivered, withdrawEvent } from './receipts.js';
import { BOUNDS } from './release.js';
import { opensPackage, type SessionEvent } from './session-event.js';

const T = 1_700_000_000_000;
const SIZES = [0, 10, 300, 900];
/** Small, so that a few events are packed, split, and too many. */
const BOUNDS_HERE = {
  ...BOUNDS,
  events: 25,
  pendingEvents: 6,
  pendingBytes: 1_200,
  packageBytes: 900,
  eventBytes: 1_400,
};
const RULES = { ...POLL_RULES, bounds: BOUNDS_HERE };

const moves = array(
  record({
    kind: constantFrom('append', 'append', 'append', 'poll', 'poll', 'again', 'wrongNumber', 'withdraw', 'hangUp'),
    pick: nat(1_000),
  }),
  { maxLength: 120, size: 'max' },
);

/** One client of one channel; every event has a number. */
class Session {
  channel: Channel = NEW_CHANNEL;
  readonly received: number[] = [];
  readonly withdrawn = new Set<number>();
  /** Numbers of events that were lost in an overflow, of which the client was told. */
  readonly lost = new Set<number>();
  resyncs = 0;
  made = 0;
  packages = 0;
  private next = 1;
  private polls = 0;
  private waiting: string | undefined;

  append(pick: number): void {
    const first = this.made + 1;
    const events = Array.from({ length: (pick % 4) + 1 }, (_, n) => this.event(pick + n));
    const { channel } = this;
    this.channel = append(channel, events, T, BOUNDS_HERE);
    const { last, held, pending, backlog = [] } = this.channel;
    const hasOverflowed = last === channel.last + 1 && held === null && pending.length + backlog.length === 0;
    if (hasOverflowed) {
      const acknowledged = new Set([...this.received, ...this.withdrawn]);
      for (let number = 1; number < first + events.length; number++) {
        if (!acknowledged.has(number)) this.lost.add(number);
      }
    }
    if (this.waiting === undefined) return;
    const state = pollWaiterState(this.channel, this.waiting, BOUNDS_HERE);
    if (state.kind !== 'waits' && state.kind !== 'replaced') this.answer(state);
  }

  poll(): PollOutcome['kind'] {
    const token = `r.${++this.polls}`;
    const { channel, result } = poll(this.channel, { ack: this.next, settings: {}, token }, T, RULES);
    this.channel = channel;
    this.waiting = result.kind === 'wait' ? token : undefined;
    if (result.kind === 'package' || result.kind === 'resync') this.answer(result);
    return result.kind;
  }

  /** The response was lost: the same package again. */
  again(): void {
    const { last, held } = this.channel;
    if (held === null || this.next !== last + 1) return;
    const { result } = poll(this.channel, { ack: last, settings: {}, token: 'r.again' }, T, RULES);
    expect(result).toEqual({ kind: 'package', number: last, package: held });
  }

  wrongNumber(pick: number): void {
    const ack = pick % 2 === 0 ? this.next + 2 : this.next - 3;
    const { channel, result } = poll(this.channel, { ack, settings: {}, token: 'r.wrong' }, T, RULES);
    if (result.kind !== 'resync') return;
    expect(channel).toBe(this.channel);
  }

  withdraw(pick: number): void {
    const number = (pick % Math.max(1, this.made)) + 1;
    const receipt = { conversation: 'c', number };
    const after = withdrawEvent(this.channel, receipt);
    if (after !== this.channel) this.withdrawn.add(number);
    this.channel = after;
  }

  hangUp(): void {
    if (this.waiting === undefined) return;
    this.channel = withdraw(this.channel, this.waiting, T);
    this.waiting = undefined;
  }

  private event(pick: number): SessionEvent {
    const number = ++this.made;
    const isInvitation = pick % 7 === 0;
    const rel = isInvitation ? 'messagingInvitation' : (['message', 'contactPresence', 'contact'][pick % 3] ?? '');
    const properties = { direction: 'Incoming', text: 'x'.repeat(SIZES[pick % SIZES.length] ?? 0) };
    return {
      sender: { rel: 'people', href: '/people' },
      type: isInvitation ? 'started' : 'added',
      link: { rel, href: `/${number}` },
      embedded: { rel, href: `/${number}`, properties },
      receipt: { conversation: 'c', number },
    };
  }

  private answer(result: Extract<PollOutcome, { kind: 'package' | 'resync' }>): void {
    this.waiting = undefined;
    this.next = result.kind === 'resync' ? result.number : result.number + 1;
    if (result.kind === 'resync') return void this.resyncs++;
    const { events } = result.package;
    const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
    expect(events.length).toBeGreaterThan(0);
    expect(events.length === 1 || bytes <= BOUNDS_HERE.packageBytes).toBe(true);
    expect(events.slice(1).some((event) => opensPackage(event))).toBe(false);
    this.received.push(...events.map(({ receipt }) => receipt?.number ?? 0));
    this.packages++;
  }
}

describe('for any order of events, polls, withdrawals and overflows', () => {
  it('each event is received once and in order, withdrawn, or lost with a resync', () => {
    const counts = { packages: 0, resyncs: 0, withdrawn: 0 };
    assert(
      property(moves, (all) => {
        const session = new Session();
        for (const { kind, pick } of all) {
          if (kind === 'append') session.append(pick);
          else if (kind === 'poll') session.poll();
          else if (kind === 'again') session.again();
          else if (kind === 'wrongNumber') session.wrongNumber(pick);
          else if (kind === 'withdraw') session.withdraw(pick);
          else session.hangUp();
        }
        session.hangUp();
        // What could wait for others is due with an event that cannot.
        session.append(0);
        while (session.poll() !== 'wait');
        const { received, withdrawn, lost, made } = session;
        expect(received).toEqual(received.toSorted((one, other) => one - other));
        const fates = [...received, ...withdrawn, ...lost].toSorted((one, other) => one - other);
        expect(fates).toEqual(Array.from({ length: made }, (_, n) => n + 1));
        const isDelivered = (number: number): boolean => wasDelivered(session.channel, { conversation: 'c', number });
        expect([...withdrawn, ...lost].some((number) => isDelivered(number))).toBe(false);
        expect(received.slice(-100).every((number) => isDelivered(number))).toBe(true);
        expect(session.resyncs > 0).toBe(lost.size > 0);
        counts.packages += session.packages;
        counts.resyncs += session.resyncs;
        counts.withdrawn += withdrawn.size;
      }),
      { numRuns: 400 },
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(100);
  });
});
