import { pollsHeldPattern, pollsWakeSubject } from '@ringdown/contracts/event-channels';
import { TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts/tokens';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import type { Logger, Metrics } from '@ringdown/observability';
import { append } from './append.js';
import { appendOnce, type SequencedEvents } from './append-once.js';
import type { Channel } from './channel.js';
import type { ChannelKey } from './channel-key.js';
import type { ChannelChange, ChannelStore, StoredChannel } from './channel-store.js';
import { receivedEventCount } from './people-event.js';
import { ParkedPolls, type ParkedPoll, type PollEnd } from './parked-polls.js';
import { poll, POLL_RULES, withdraw, type PollOutcome, type PollRequest, type PollRules } from './poll.js';
import { settle } from './release.js';
import { wasDelivered, withdrawEvent } from './receipts.js';
import type { Receipt, SessionEvent } from './session-event.js';
import { field, isWake, replicaOf, type Wake } from './wake.js';

export interface EventChannelsOptions {
  readonly store: ChannelStore;
  readonly bus: Bus;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly rules?: PollRules;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** The client that polls, and what it requests. */
export interface IncomingPoll extends Omit<PollRequest, 'token'>, Pick<ParkedPoll, 'key' | 'tokenHash' | 'expiresAt'> {}

export type PollAnswer = PollEnd | { readonly kind: 'expired' };

/** A poll that a client has begun: its response, and a function to call when the client has disconnected. */
export interface BegunPoll {
  /** Rejects when the bus does not answer. */
  readonly answer: Promise<PollAnswer>;
  abandon(): void;
}

const HELD_REPLY_MS = 5_000;

/**
 * The event channels of all sessions as this replica serves them. The state of a channel is only in the store; after
 * each change, the replica that holds the waiting poll is notified and responds from that state.
 */
export class EventChannels {
  private readonly replica: string;
  private readonly parked: ParkedPolls;
  private readonly rules: PollRules;
  private readonly now: () => number;
  private readonly unsubscribers: (() => void)[];
  private readonly outcomes;
  private readonly appended;
  private readonly deliveryListeners: ((receipt: Receipt) => void)[] = [];
  private polls = 0;
  private closing = false;

  constructor(private readonly options: EventChannelsOptions) {
    const { bus, logger, metrics, store, rules = POLL_RULES, now = Date.now } = options;
    this.replica = bus.replica;
    this.rules = rules;
    this.now = now;
    this.parked = new ParkedPolls({
      now,
      logger,
      onDue: (parked) => void this.deliverDue(parked),
      read: (key) => store.read(key),
    });
    this.outcomes = metrics.counter('event_polls_total', 'Polls of event channels by their outcome', ['outcome']);
    this.appended = metrics.counter('session_events_total', 'Events that were put into event channels');
    metrics.observedGauge('event_polls_waiting', 'Polls that wait for events', () => this.parked.size);
    this.unsubscribers = [
      bus.subscribe(pollsWakeSubject(this.replica), (message) => this.onWake(message)),
      bus.subscribe(TOKENS_REVOKED_SUBJECT, (message) => this.parked.revoke(field(message, 'tokenHash'))),
      bus.onReconnect(() => void this.parked.checkAll()),
    ];
  }

  /** The channel as it is now, for the link to it. */
  async read(key: ChannelKey): Promise<Channel> {
    return (await this.options.store.read(key)).channel;
  }

  /**
   * Appends the events to the channel, in their order. Resolves when they are stored; rejects when that is not known.
   */
  async append(key: ChannelKey, events: readonly SessionEvent[]): Promise<void> {
    await this.change(key, (channel) => ({
      channel: append(channel, events, this.now(), this.rules.bounds),
      result: undefined,
    }));
    this.appended.inc(receivedEventCount(events));
  }

  /** As `append`, for events that may have been appended before: each of them is in the channel only once. */
  async appendOnce(key: ChannelKey, delivery: SequencedEvents): Promise<void> {
    const { stored, before } = await this.change(key, (channel) => ({
      channel: appendOnce(channel, delivery, this.now(), this.rules.bounds),
      result: undefined,
    }));
    if (stored.revision === before.revision) return;
    this.appended.inc(receivedEventCount(delivery.parts.flatMap(({ events }) => events)));
  }

  /** Withdraws an event unless it was delivered. Returns whether it was; false also if it never was in the channel. */
  async withdrawEvent(key: ChannelKey, receipt: Receipt): Promise<boolean> {
    const { stored } = await this.change(key, (channel) => ({
      channel: withdrawEvent(channel, receipt),
      result: undefined,
    }));
    return wasDelivered(stored.channel, receipt);
  }

  /** Called when events with a receipt are delivered to their client; a call may get lost in a crash. */
  onDelivered(listener: (receipt: Receipt) => void): void {
    this.deliveryListeners.push(listener);
  }

  poll(incoming: IncomingPoll): BegunPoll {
    const token = `${this.replica}.${++this.polls}`;
    const answer = this.park(incoming, token);
    return { answer, abandon: () => void this.abandon(incoming.key, token) };
  }

  /** Whether this replica holds the poll. */
  holds(token: string): boolean {
    return this.parked.has(token);
  }

  /** Deletes the channel and ends the poll that waits in it. */
  async remove(key: ChannelKey): Promise<void> {
    const { channel } = await this.options.store.remove(key);
    if (channel.waiter !== null) this.send({ token: channel.waiter.token, stored: null });
  }

  /**
   * Ends all polls as if they had timed out, and lets none wait any more: the clients connect again, to another
   * replica.
   */
  endPolls(): void {
    this.closing = true;
    this.parked.timeOutAll();
  }

  async close(): Promise<void> {
    for (const end of this.unsubscribers) end();
    await this.parked.close();
  }

  private async park({ key, ack, settings, ...token }: IncomingPoll, name: string): Promise<PollAnswer> {
    const { promise, resolve: end } = Promise.withResolvers<PollEnd>();
    this.parked.add({ token: name, key, ...token, end });
    try {
      const { result, stored } = await this.begin(key, { ack, settings, token: name });
      if (result.kind === 'wait') {
        this.parked.wait(name, result);
        this.parked.notify(name, stored);
        if (this.closing) this.parked.timeOut(name);
      }
      const answer = result.kind === 'wait' ? await promise : result;
      const hasTokenEnded = answer.kind === 'timeout' && result.kind === 'wait' && token.expiresAt < result.until;
      // In the channel it still waits, and would get the events of which its client then knows nothing.
      if (answer.kind === 'revoked' || hasTokenEnded) void this.withdrawPoll(key, name);
      this.outcomes.inc({ outcome: answer.kind });
      return answer.kind === 'refused' ? { kind: 'replaced' } : answer;
    } finally {
      this.parked.forget(name);
    }
  }

  /** A waiting poll of a higher priority keeps its place only if its replica still holds it. */
  private async begin(key: ChannelKey, request: PollRequest): Promise<Changed<PollOutcome>> {
    const begun = await this.change(key, (channel) => poll(channel, request, this.now(), this.rules));
    const { result } = begun;
    if (result.kind !== 'refused' || (await this.isHeld(result.by))) return begun;
    return this.change(key, (channel) =>
      poll(withdraw(channel, result.by, this.now()), request, this.now(), this.rules),
    );
  }

  private async isHeld(token: string): Promise<boolean> {
    const replica = replicaOf(token);
    if (replica === this.replica) return this.parked.has(token);
    try {
      return (await this.options.bus.request(pollsHeldPattern(replica), { token }, HELD_REPLY_MS)) === true;
    } catch (error) {
      this.options.logger.debug({ replica, reason: errorReason(error) }, 'a replica that held a poll does not respond');
      return false;
    }
  }

  /** Changes a channel and notifies the poll that waited before. */
  private async change<T>(key: ChannelKey, change: (channel: Channel) => ChannelChange<T>): Promise<Changed<T>> {
    const { before, after, result } = await this.options.store.change(key, change);
    const { waiter } = before.channel;
    if (waiter !== null && after.revision !== before.revision) this.send({ token: waiter.token, stored: after });
    if (after.channel.last > before.channel.last) this.confirm(after.channel);
    return { stored: after, before, result };
  }

  private confirm({ held }: Channel): void {
    for (const { receipt } of held?.events ?? []) {
      if (receipt !== undefined) for (const listener of this.deliveryListeners) listener(receipt);
    }
  }

  /** If the notification is lost, the periodic check of the poll replaces it. */
  private send(wake: Wake): void {
    const replica = replicaOf(wake.token);
    if (replica === this.replica) return this.onWake(wake);
    try {
      this.options.bus.publish(pollsWakeSubject(replica), wake);
    } catch (error) {
      this.options.logger.debug({ replica, reason: errorReason(error) }, 'could not notify a replica of a poll');
    }
  }

  private onWake(message: unknown): void {
    if (!isWake(message)) return this.options.logger.warn('ignored a message about a poll: unknown format');
    if (message.stored === null) this.parked.end(message.token, { kind: 'closed' });
    else this.parked.notify(message.token, message.stored);
  }

  /** Delivers events that have waited long enough although no new ones have come. */
  private async deliverDue({ key, token }: ParkedPoll): Promise<void> {
    try {
      const { stored } = await this.change(key, (channel) => ({
        channel: settle(channel, this.now(), this.rules.bounds),
        result: undefined,
      }));
      // Timers fire up to a millisecond early: the poll then still waits, and a new timer is set.
      this.parked.notify(token, stored);
    } catch (error) {
      // The next check of the poll, or its timeout, corrects this.
      this.options.logger.warn({ reason: errorReason(error) }, 'could not deliver events in time');
    }
  }

  private async abandon(key: ChannelKey, token: string): Promise<void> {
    if (!this.parked.has(token)) return;
    this.parked.timeOut(token);
    await this.withdrawPoll(key, token);
  }

  private async withdrawPoll(key: ChannelKey, token: string): Promise<void> {
    try {
      await this.change(key, (channel) => ({ channel: withdraw(channel, token, this.now()), result: undefined }));
    } catch (error) {
      this.options.logger.debug({ reason: errorReason(error) }, 'could not withdraw a poll; it will time out');
    }
  }
}

interface Changed<T> {
  readonly before: StoredChannel;
  readonly stored: StoredChannel;
  readonly result: T;
}
