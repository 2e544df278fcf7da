import { RequestRefused, TokenRefused, Unreachable, type Reason } from './errors.js';
import { readPackage, type EventPackage, type SessionEvent } from './events.js';
import type { JsonReader } from './json-reader.js';

export type ChannelState =
  | { readonly kind: 'connected' }
  /** Something failed; the channel retries. */
  | { readonly kind: 'reconnecting' }
  | { readonly kind: 'signedOut' }
  /** The server has ended the session for a permanent reason. */
  | { readonly kind: 'ended'; readonly message: string };

/** What the channel needs of its session. */
export interface ChannelSource {
  /** Requests a package; the server may hold the request. */
  poll(href: string, signal: AbortSignal): Promise<JsonReader>;
  /** Rejects while the session cannot be used. */
  check(signal: AbortSignal): Promise<void>;
  /** Resumes the session, or opens a new one if it does not exist any more. Returns the address of the first package. */
  reopen(why: Reopening): Promise<string>;
}

/** `replaced`: another tab uses the same channel, so that this one needs its own. */
export type Reopening = 'gone' | 'replaced';

export interface ChannelListener {
  /** Called with every event once, in order. */
  events(events: readonly SessionEvent[]): void;
  /** Cached data may be out of date, and subscriptions may have ended. */
  startOver(): void;
  state(state: ChannelState): void;
}

export interface EventChannelOptions {
  readonly source: ChannelSource;
  readonly listener: ChannelListener;
  /** Resolves after this many milliseconds, or earlier when aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Between 0 and 1. */
  readonly random: () => number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
const CHECK_MS = 20_000;
/** Longer than the server holds a poll (180 s), to detect a dead connection. */
export const POLL_MS = 240_000;

/**
 * The event channel of a session by long polling (web-interface.md, section 7). The request for the next package
 * acknowledges a package, and until then the same number returns the same package: each is dispatched once, even if the
 * connection breaks.
 */
export class EventChannel {
  private readonly end = new AbortController();
  private hurry = new AbortController();
  private failures = 0;
  private isDown = false;

  constructor(private readonly options: EventChannelOptions) {}

  /**
   * Starts with the first package of a session that was just opened. Resolves when the channel has ended, because of
   * `stop` or a permanent failure.
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

  /** Retries now, because the server may be reachable again. */
  tryNow(): void {
    this.hurry.abort();
  }

  private async step(href: string): Promise<string> {
    const { source } = this.options;
    if (this.isDown) {
      // A successful poll may not answer for minutes, so check first.
      await source.check(this.within(CHECK_MS));
      this.connected();
    }
    const signal = this.within(POLL_MS);
    const answer: EventPackage = readPackage(await source.poll(href, signal));
    if (this.end.signal.aborted) return href;
    this.dispatch(answer);
    return answer.next;
  }

  /** The address of the next package; undefined if the channel has ended. */
  private async recover(error: unknown, href: string): Promise<string | undefined> {
    const reopening = reopeningFor(error);
    if (reopening === undefined) return (await this.waitToRetry(error)) ? href : undefined;
    try {
      const first = await this.options.source.reopen(reopening);
      this.connected();
      this.options.listener.startOver();
      return first;
    } catch (failure) {
      // The channel is still gone, so the next poll fails and ends here again.
      return (await this.waitToRetry(failure)) ? href : undefined;
    }
  }

  /** Waits if a retry may succeed, otherwise reports the end. */
  private async waitToRetry(error: unknown): Promise<boolean> {
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
    // Clients that lost the same server must not all reconnect at the same moment.
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

  private dispatch({ events, startOver }: EventPackage): void {
    const { listener } = this.options;
    if (events.length > 0) listener.events(events);
    if (startOver !== undefined) listener.startOver();
  }
}

/** The server has ended the session because of missing polls, for example while the computer was suspended. */
const SLEPT: Reason = { code: 'Gone', subcode: 'InactiveApplicationExpired' }; // not shown: a value of the web interface

function reopeningFor(error: unknown): Reopening | undefined {
  if (!(error instanceof RequestRefused)) return undefined;
  if (error.subcode === 'PGetReplaced') return 'replaced';
  const isGone = error.subcode === 'ApplicationNotFound' || error.subcode === SLEPT.subcode;
  return isGone ? 'gone' : undefined;
}

function finalStateFor(error: unknown): ChannelState | undefined {
  if (error instanceof TokenRefused) return { kind: 'signedOut' };
  // Server errors and invalid answers may be temporary; a rejection is permanent.
  return error instanceof RequestRefused && error.status < 500 ? { kind: 'ended', message: error.message } : undefined;
}
