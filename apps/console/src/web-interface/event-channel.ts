import { Refusal, TokenRefused, Unreachable, type Reason } from './errors.js';
import { readPackage, type EventPackage, type SessionEvent } from './events.js';
import type { Reading } from './reading.js';

export type ChannelState =
  | { readonly kind: 'connected' }
  /** Something is down; it tries again. */
  | { readonly kind: 'reconnecting' }
  | { readonly kind: 'signedOut' }
  /** The server has ended the session for a reason that trying again does not change. */
  | { readonly kind: 'ended'; readonly message: string };

/** What the channel needs of its session. */
export interface ChannelSource {
  /** Asks for a package; the answer may take as long as the server lets it wait. */
  poll(href: string, signal: AbortSignal): Promise<Reading>;
  /** Rejects while the session cannot be used. */
  check(signal: AbortSignal): Promise<void>;
  /** Makes the session again, or another one where this one is not there any more; the first package to ask for. */
  reopen(why: Reopening): Promise<string>;
}

/** `replaced`: another tab has this one's place in the channel, so that this one needs a place of its own. */
export type Reopening = 'gone' | 'replaced';

export interface ChannelListener {
  /** Every event, once, in order. */
  events(events: readonly SessionEvent[]): void;
  /** What is remembered may be out of date, and subscriptions may have ended. */
  startOver(): void;
  state(state: ChannelState): void;
}

export interface EventChannelOptions {
  readonly source: ChannelSource;
  readonly listener: ChannelListener;
  /** Resolves after so many milliseconds; earlier when it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Between 0 and 1. */
  readonly random: () => number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
const CHECK_MS = 20_000;
/** Longer than the server lets a poll wait (180 s): a connection that has died says nothing. */
export const POLL_MS = 240_000;

/**
 * The event channel of a session as a long poll (web-interface.md, section 7). A package counts as arrived when the next
 * one is asked for, and until then the same number is always the same package: so each is told once, however often the
 * connection breaks.
 */
export class EventChannel {
  private readonly end = new AbortController();
  private hurry = new AbortController();
  private failures = 0;
  private isDown = false;

  constructor(private readonly options: EventChannelOptions) {}

  /**
   * Begins with the first package of a session that was just opened. Resolves when the channel has ended, because of
   * `stop` or because it cannot go on.
   */
  async run(first: string): Promise<void> {
    this.connected();
    let next = first;
    while (!this.end.signal.aborted) {
      try {
        next = await this.step(next);
      } catch (error) {
        if (this.end.signal.aborted) return;
        const after = await this.recover(error, next);
        if (after === undefined) return;
        next = after;
      }
    }
  }

  stop(): void {
    this.end.abort();
  }

  /** Does not wait any longer to try again: something says that the server can be reached. */
  tryNow(): void {
    this.hurry.abort();
  }

  private async step(href: string): Promise<string> {
    const { source } = this.options;
    if (this.isDown) {
      // A poll says nothing for minutes when all is well again.
      await source.check(this.within(CHECK_MS));
      this.connected();
    }
    const signal = this.within(POLL_MS);
    const answer: EventPackage = readPackage(await source.poll(href, signal));
    if (this.end.signal.aborted) return href;
    this.tell(answer);
    return answer.next;
  }

  /** Where to go on; undefined where it cannot. */
  private async recover(error: unknown, href: string): Promise<string | undefined> {
    const reopening = reopeningFor(error);
    if (reopening === undefined) return (await this.standstill(error)) ? href : undefined;
    try {
      const first = await this.options.source.reopen(reopening);
      this.connected();
      this.options.listener.startOver();
      return first;
    } catch (failure) {
      // The channel is still gone, so that the next poll leads here again.
      return (await this.standstill(failure)) ? href : undefined;
    }
  }

  /** Waits when waiting may help, else tells that it is over. */
  private async standstill(error: unknown): Promise<boolean> {
    const { listener, wait } = this.options;
    const final = finalStateFor(error);
    if (final !== undefined) {
      listener.state(final);
      return false;
    }
    this.isDown = true;
    listener.state({ kind: 'reconnecting' });
    this.hurry = new AbortController();
    await wait(this.pause(error), AbortSignal.any([this.end.signal, this.hurry.signal]));
    return true;
  }

  private pause(error: unknown): number {
    const wanted = error instanceof Unreachable ? (error.retryAfterMs ?? 0) : 0;
    const longer = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.failures++);
    // Clients that lost the same server must not all come back at the same moment.
    return Math.max(wanted, longer * (0.5 + this.options.random() / 2));
  }

  private within(ms: number): AbortSignal {
    return AbortSignal.any([this.end.signal, AbortSignal.timeout(ms)]);
  }

  private connected(): void {
    this.failures = 0;
    this.isDown = false;
    this.options.listener.state({ kind: 'connected' });
  }

  private tell({ events, startOver }: EventPackage): void {
    const { listener } = this.options;
    if (events.length > 0) listener.events(events);
    if (startOver !== undefined) listener.startOver();
  }
}

/** The server has ended the session while nobody polled, for example of a computer that slept. */
const SLEPT: Reason = { code: 'Gone', subcode: 'InactiveApplicationExpired' };

function reopeningFor(error: unknown): Reopening | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.subcode === 'PGetReplaced') return 'replaced';
  const isGone = error.subcode === 'ApplicationNotFound' || error.subcode === SLEPT.subcode;
  return isGone ? 'gone' : undefined;
}

function finalStateFor(error: unknown): ChannelState | undefined {
  if (error instanceof TokenRefused) return { kind: 'signedOut' };
  // Faults of the server and answers that are none may pass; that it refuses does not.
  return error instanceof Refusal && error.status < 500 ? { kind: 'ended', message: error.message } : undefined;
}
