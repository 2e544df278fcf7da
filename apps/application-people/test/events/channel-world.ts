import { append } from '../../src/events/append.js';
import { NEW_CHANNEL, type Channel } from '../../src/events/channel.js';
import {
  pollWaiterState,
  poll,
  POLL_RULES,
  withdraw,
  type PollOutcome,
  type PollRules,
} from '../../src/events/poll.js';
import { settle, type ChannelBounds } from '../../src/events/release.js';
import type { SessionEvent } from '../../src/events/session-event.js';

/** What may happen next; `pick` selects one of the possible objects. */
export interface Happening {
  readonly kind:
    | 'append'
    | 'poll'
    | 'write'
    | 'receiveWake'
    | 'loseWake'
    | 'receive'
    | 'loseAnswer'
    | 'crash'
    | 'hangUp'
    | 'check'
    | 'pass';
  readonly pick: number;
}

interface Poll {
  readonly token: string;
  readonly replica: number;
  readonly ack: number;
  until: number | undefined;
}

type Answer = PollOutcome | { readonly kind: 'timeout' } | { readonly kind: 'replaced' };

/** A change that a replica has computed from what it read, and has not written yet. */
interface Change {
  readonly replica: number;
  readonly revision: number;
  readonly make: (channel: Channel) => { channel: Channel; result?: PollOutcome };
  readonly done: (result: PollOutcome | undefined) => void;
}

export interface WorldClient {
  /** Number of the package that it requests next. */
  readonly next: number;
  onAnswer(answer: Answer): void;
}

/**
 * One channel, two replicas that change it at the same time, and one client whose requests and responses get lost: all
 * steps in any order. The store accepts a change only if no one else has changed the channel since it was read.
 */
export class ChannelWorld {
  now = 1_700_000_000_000;
  private channel: Channel = NEW_CHANNEL;
  private revision = 0;
  private changes: Change[] = [];
  private polls: Poll[] = [];
  private wakes: string[] = [];
  private answers: { readonly ack: number; readonly answer: Answer }[] = [];
  private tokens = 0;
  private readonly rules: PollRules;

  constructor(
    private readonly client: WorldClient,
    /** Creates the events of one append, and is notified when they are stored. */
    private readonly source: {
      next(pick: number): readonly SessionEvent[];
      stored(events: readonly SessionEvent[]): void;
    },
    private readonly bounds: ChannelBounds,
  ) {
    this.rules = { ...POLL_RULES, gapMs: Number.POSITIVE_INFINITY, bounds };
  }

  happen({ kind, pick }: Happening): void {
    const replica = pick % 2;
    const doings: Record<Happening['kind'], () => void> = {
      append: () => this.append(replica, pick),
      poll: () => this.poll(replica, pick),
      write: () => this.write(dequeue(this.changes, pick)),
      receiveWake: () => this.notify(dequeue(this.wakes, pick)),
      loseWake: () => dequeue(this.wakes, pick),
      receive: () => this.receive(dequeue(this.answers, pick)),
      loseAnswer: () => dequeue(this.answers, pick),
      crash: () => this.crash(replica),
      hangUp: () => this.hangUp(dequeue(this.polls, pick)),
      check: () => this.notify(this.polls[pick % Math.max(1, this.polls.length)]?.token),
      pass: () => this.pass((pick % 40) * 500),
    };
    doings[kind]();
  }

  /** Completes everything in progress; a patient client polls until there are no more events. */
  comeToRest(): void {
    for (let quiet = 0; quiet < 3;) {
      const before = this.client.next;
      this.poll(0, 0);
      while (this.changes.length > 0) this.write(dequeue(this.changes, 0));
      this.wakes = [];
      for (const { token } of this.polls) this.notify(token);
      this.pass(20_000);
      while (this.changes.length > 0) this.write(dequeue(this.changes, 0));
      for (const { token } of this.polls) this.notify(token);
      while (this.answers.length > 0) this.receive(dequeue(this.answers, 0));
      quiet = this.client.next === before ? quiet + 1 : 0;
    }
  }

  private append(replica: number, pick: number): void {
    const events = this.source.next(pick);
    this.begin(
      replica,
      (channel) => ({ channel: append(channel, events, this.now, this.bounds) }),
      () => this.source.stored(events),
    );
  }

  private poll(replica: number, pick: number): void {
    const token = `${replica}.${++this.tokens}`;
    const ack = this.client.next;
    const request = { ack, settings: { priority: pick % 3 === 0 ? 1 : 0 }, token };
    this.polls.push({ token, replica, ack, until: undefined });
    this.begin(
      replica,
      (channel) => poll(channel, request, this.now, this.rules),
      (result) => {
        const waiting = this.polls.find((each) => each.token === token);
        if (waiting === undefined || result === undefined) return;
        if (result.kind === 'wait') waiting.until = result.until;
        else this.end(waiting, result);
      },
    );
  }

  private begin(replica: number, make: Change['make'], done: Change['done']): void {
    this.changes.push({ replica, revision: this.revision, make, done });
  }

  private write(change: Change | undefined): void {
    if (change === undefined) return;
    if (change.revision !== this.revision) return void this.changes.push({ ...change, revision: this.revision });
    const { channel, result } = change.make(this.channel);
    if (channel !== this.channel) {
      if (this.channel.waiter !== null) this.wakes.push(this.channel.waiter.token);
      this.channel = structuredClone(channel);
      this.revision++;
    }
    change.done(result);
  }

  private notify(token: string | undefined): void {
    const waiting = this.polls.find((each) => each.token === token);
    if (waiting?.until === undefined) return;
    const state = pollWaiterState(this.channel, waiting.token, this.bounds);
    if (state.kind !== 'waits') return this.end(waiting, state);
    if (state.due === undefined || state.due > this.now) return;
    this.begin(
      waiting.replica,
      (channel) => ({ channel: settle(channel, this.now, this.bounds) }),
      () => undefined,
    );
  }

  private pass(ms: number): void {
    this.now += ms;
    for (const waiting of this.polls) {
      if (waiting.until !== undefined && waiting.until <= this.now) this.end(waiting, { kind: 'timeout' });
    }
  }

  private end(ended: Poll, answer: Answer): void {
    this.polls = this.polls.filter((each) => each !== ended);
    this.answers.push({ ack: ended.ack, answer });
  }

  private receive(received: { ack: number; answer: Answer } | undefined): void {
    // The response to a request that the client has given up is ignored.
    if (received !== undefined && received.ack === this.client.next) this.client.onAnswer(received.answer);
  }

  private crash(replica: number): void {
    this.changes = this.changes.filter((each) => each.replica !== replica);
    this.polls = this.polls.filter((each) => each.replica !== replica);
    this.wakes = this.wakes.filter((token) => !token.startsWith(`${replica}.`));
  }

  private hangUp(gone: Poll | undefined): void {
    if (gone === undefined) return;
    const { token, replica } = gone;
    this.begin(
      replica,
      (channel) => ({ channel: withdraw(channel, token, this.now) }),
      () => undefined,
    );
  }
}

function dequeue<T>(items: T[], pick: number): T | undefined {
  return items.splice(pick % Math.max(1, items.length), 1)[0];
}
