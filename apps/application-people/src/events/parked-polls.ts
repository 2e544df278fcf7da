import { PeriodicTask } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import type { EventPackage } from './channel.js';
import type { ChannelKey } from './channel-key.js';
import type { StoredChannel } from './channel-store.js';
import { pollWaiterState } from './poll.js';

export type PollEnd =
  | { readonly kind: 'package'; readonly number: number; readonly package: EventPackage }
  | { readonly kind: 'resync'; readonly number: number }
  /** The poll timed out, or its token may not be valid any more. The client requests the same package again. */
  | { readonly kind: 'timeout' | 'revoked'; readonly number: number; readonly resume: boolean }
  /** A later poll, or one of a higher priority, has replaced it. */
  | { readonly kind: 'replaced' }
  /** Its channel does not exist any more. */
  | { readonly kind: 'closed' };

/** One poll whose client waits at this replica. */
export interface ParkedPoll {
  readonly token: string;
  readonly key: ChannelKey;
  /** Of the access token; a poll ends with its token. */
  readonly tokenHash: string;
  readonly expiresAt: number;
  readonly end: (outcome: PollEnd) => void;
}

interface ParkedState extends ParkedPoll {
  /** Known once the poll waits. */
  number: number;
  resume: boolean;
  /** The newest revision of the channel that this poll was checked against. */
  revision: number;
  checkedAt: number;
  timer?: NodeJS.Timeout;
  dueTimer?: NodeJS.Timeout;
}

export interface ParkedPollsOptions {
  readonly now: () => number;
  readonly logger: Logger;
  /** Called when events have to be delivered although no new ones have come. */
  readonly onDue: (poll: ParkedPoll) => void;
  readonly read: (key: ChannelKey) => Promise<StoredChannel>;
}

/** A lost notification of a poll is corrected after about this time, milliseconds. */
const CHECK_MS = 60_000;
/** The first revision of an existing channel; a removed channel has none. */
const FIRST_REVISION = 1;
const CHECK_TICK_MS = 1_000;

/** The polls that wait at this replica. The outcome of each is read from its channel, whichever replica changed it. */
export class ParkedPolls {
  private readonly polls = new Map<string, ParkedState>();
  private readonly checking: PeriodicTask;

  constructor(private readonly options: ParkedPollsOptions) {
    this.checking = new PeriodicTask({
      periodMs: CHECK_TICK_MS,
      run: () => this.checkBefore(options.now() - CHECK_MS),
    });
  }

  get size(): number {
    return this.polls.size;
  }

  has(token: string): boolean {
    return this.polls.has(token);
  }

  /** From now on the poll is notified of changes. */
  add(poll: ParkedPoll): void {
    this.polls.set(poll.token, { ...poll, number: 0, resume: false, revision: 0, checkedAt: this.options.now() });
  }

  /** Starts the timeout of a poll. */
  wait(token: string, { number, until, resume }: { number: number; until: number; resume: boolean }): void {
    const poll = this.polls.get(token);
    if (poll === undefined) return;
    poll.number = number;
    poll.resume = resume;
    poll.timer = setTimeout(() => this.timeOut(token), this.msUntil(Math.min(until, poll.expiresAt)));
  }

  /** Notifies a poll of a change of its channel. Changes older than the last one that it saw are ignored. */
  notify(token: string, { channel, revision }: StoredChannel): void {
    const poll = this.polls.get(token);
    if (poll === undefined || revision < poll.revision) return;
    poll.revision = revision;
    poll.checkedAt = this.options.now();
    const state = pollWaiterState(channel, token);
    if (state.kind !== 'waits') return this.end(token, state);
    clearTimeout(poll.dueTimer);
    delete poll.dueTimer;
    if (state.due !== undefined) {
      poll.dueTimer = setTimeout(() => this.options.onDue(poll), this.msUntil(state.due));
    }
  }

  end(token: string, outcome: PollEnd): void {
    const poll = this.polls.get(token);
    if (poll === undefined) return;
    this.forget(token);
    poll.end(outcome);
  }

  /** Ends a poll as if it had timed out. */
  timeOut(token: string, kind: 'timeout' | 'revoked' = 'timeout'): void {
    const { number = 0, resume = false } = this.polls.get(token) ?? {};
    this.end(token, { kind, number, resume });
  }

  forget(token: string): void {
    const poll = this.polls.get(token);
    this.polls.delete(token);
    clearTimeout(poll?.timer);
    clearTimeout(poll?.dueTimer);
  }

  timeOutAll(): void {
    for (const token of this.polls.keys()) this.timeOut(token);
  }

  revoke(tokenHash: unknown): void {
    for (const poll of this.polls.values()) {
      if (poll.tokenHash === tokenHash) this.timeOut(poll.token, 'revoked');
    }
  }

  /** Checks every poll: notifications may have been lost, and the bus may have gone back to older revisions. */
  async checkAll(): Promise<void> {
    for (const poll of this.polls.values()) poll.revision = Math.min(poll.revision, FIRST_REVISION);
    await this.checkBefore(this.options.now());
  }

  close(): Promise<void> {
    return this.checking.stop();
  }

  /**
   * One after another: thousands are due at once if their clients connected at once, and events must not be delayed by
   * them.
   */
  private async checkBefore(time: number): Promise<void> {
    for (const poll of this.polls.values()) {
      // One that does not wait yet is not in its channel, and would be taken for replaced.
      if (poll.timer !== undefined && poll.checkedAt <= time) await this.check(poll);
    }
  }

  private async check(poll: ParkedState): Promise<void> {
    poll.checkedAt = this.options.now();
    try {
      const stored = await this.options.read(poll.key);
      if (stored.revision === 0 && poll.revision > 0) this.end(poll.token, { kind: 'closed' });
      else this.notify(poll.token, stored);
    } catch (error) {
      this.options.logger.debug({ reason: errorReason(error) }, 'could not check a waiting poll');
    }
  }

  private msUntil(time: number): number {
    return Math.max(0, time - this.options.now());
  }
}
