import { Inject, Injectable } from '@nestjs/common';
import {
  CALLS_CHANGED_SUBJECT,
  CALLS_IN_PROGRESS_PATTERN,
  type CallOutline,
  type CallsInProgressRequest,
} from '@ringdown/contracts/calls';
import { errorReason } from '@ringdown/errors';
import { Bus } from '@ringdown/nats';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { LOGGER, type Logger } from '@ringdown/observability';
import { eachWithinTime } from '@ringdown/time-limit';
import { inCalls } from '../presence-store/presence-changes.js';
import { PresenceStore } from '../presence-store/presence-store.js';
import { Presences } from '../presence/presences.js';
import { SETTINGS, type Settings } from '../settings.js';
import { CallParticipants, type CallWithParticipants } from './call-participants.js';
import { isCallOutline, participantsIn } from './participants.js';

/** How often all calls are read again, even without a notification, milliseconds. */
const READ_EVERY_MS = 60_000;
const REPLY_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** The number of people whose presence is written at the same time. */
const CONCURRENT_WRITES = 16;

/**
 * Shows people as busy while the feed reports a call of theirs. Changes come over the bus and may be missed; the calls
 * themselves are in the database of the aggregator, and are requested from it at the start, after every interruption,
 * whenever the aggregator says so, and once a minute. The calls of a person are stored in the presence of that person,
 * so that they are known while the aggregator is not running.
 */
@Injectable()
export class CallPresence {
  private readonly calls = new CallParticipants();
  private readonly changed = new Set<string>();
  private readonly closing = new AbortController();
  private readonly unsubscribers: (() => void)[];
  private readonly running: Promise<void>;
  private isLoaded = false;
  /** When all calls are read the next time, milliseconds since 1970. */
  private nextReadAt = 0;
  private failures = 0;
  private wake: () => void = () => undefined;

  constructor(
    private readonly bus: Bus,
    private readonly store: PresenceStore,
    private readonly presences: Presences,
    @Inject(DIRECTORY) private readonly directory: Directory,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.unsubscribers = [
      bus.subscribe(CALLS_CHANGED_SUBJECT, (message) => void this.onCallsChanged(message)),
      bus.onReconnect(() => this.requestReload()),
    ];
    this.running = this.run();
  }

  /** Compares everyone who is stored as being in a call with the calls in progress. */
  checkAll(): void {
    for (const { sipAddress, calls } of this.store.all) if (calls.length > 0) this.changed.add(sipAddress);
    this.wake();
  }

  async close(): Promise<void> {
    this.closing.abort();
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    this.wake();
    await this.running;
  }

  private async onCallsChanged(message: unknown): Promise<void> {
    const calls: unknown = typeof message === 'object' && message !== null && 'calls' in message ? message.calls : null;
    if (!Array.isArray(calls)) return this.logger.warn('a message about changed calls has an unknown format');
    // An empty list means that a change may have been missed.
    if (calls.length === 0) return this.requestReload();
    const outlines: unknown[] = calls;
    const receivedAt = Date.now();
    for (const callWithParticipants of await this.withParticipants(outlines.filter((call) => isCallOutline(call)))) {
      for (const person of this.calls.apply(callWithParticipants, receivedAt)) this.changed.add(person);
    }
    if (!outlines.every((call) => isCallOutline(call))) return this.requestReload();
    this.wake();
  }

  /** A call whose participants cannot be read makes no one busy, and does not prevent other calls from being read. */
  private async withParticipants(calls: readonly CallOutline[]): Promise<readonly CallWithParticipants[]> {
    const { logger } = this;
    const outcomes = await eachWithinTime(this.settings.processingLimitMs, calls, participantsIn);
    return calls.map((call, index) => {
      const outcome = outcomes[index];
      if (outcome?.ok === true) return { call, participants: outcome.value };
      logger.error(
        { callId: call.callId, reason: errorReason(outcome?.error) },
        'could not read the participants of a call',
      );
      return { call, participants: [] };
    });
  }

  private requestReload(): void {
    this.nextReadAt = 0;
    this.wake();
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      if (Date.now() >= this.nextReadAt) await this.readAll();
      // With only half of the calls loaded, people in the other half would be shown as free.
      else if (this.isLoaded && this.changed.size > 0) await this.writeBatch();
      else await this.pause(this.nextReadAt - Date.now());
    }
  }

  private async readAll(): Promise<void> {
    const { logger } = this;
    const requestedAt = Date.now();
    // Set before the request, since a message that arrives during it may require another read.
    this.nextReadAt = requestedAt + READ_EVERY_MS;
    try {
      this.calls.applyAll(await this.withParticipants(await this.pages()), requestedAt);
    } catch (error) {
      const delay = Math.min(FIRST_RETRY_MS * 2 ** this.failures++, MAX_RETRY_MS);
      if (this.nextReadAt > 0) this.nextReadAt = Date.now() + delay;
      // The aggregator may start later or be restarting; if it stays away, this is logged as a warning once.
      const level = this.failures === 5 ? 'warn' : 'debug';
      return logger[level]({ reason: errorReason(error) }, 'could not read the calls in progress; retrying');
    }
    this.failures = 0;
    this.isLoaded = true;
    for (const person of this.calls.people) this.changed.add(person);
    this.checkAll();
  }

  private async pages(): Promise<readonly CallOutline[]> {
    const calls: CallOutline[] = [];
    let after: string | null = null;
    do {
      const page = await this.page({ after });
      calls.push(...page.calls);
      after = page.next;
    } while (after !== null);
    return calls;
  }

  private async page(request: CallsInProgressRequest): Promise<{ calls: readonly CallOutline[]; next: string | null }> {
    const reply = await this.bus.request(CALLS_IN_PROGRESS_PATTERN, request, REPLY_TIMEOUT_MS);
    const { calls, next } = Object(reply);
    if (!Array.isArray(calls))
      throw new Error('the aggregator replied with an unknown format of the calls in progress');
    return { calls: calls.filter((call) => isCallOutline(call)), next: typeof next === 'string' ? next : null };
  }

  private async writeBatch(): Promise<void> {
    const people = [...this.changed].slice(0, CONCURRENT_WRITES);
    for (const person of people) this.changed.delete(person);
    const outcomes = await Promise.allSettled(people.map((person) => this.write(person)));
    const failed = people.filter((_, index) => outcomes[index]?.status === 'rejected');
    if (failed.length === 0) return;
    for (const person of failed) this.changed.add(person);
    this.logger.warn({ people: failed.length }, 'could not write the calls of people; retrying');
    await this.pause(FIRST_RETRY_MS);
  }

  /** Only for people of the directory. A person who has left the directory is free. */
  private async write(sipAddress: string): Promise<void> {
    const { directory, presences, store } = this;
    const owner = directory.people.withSipAddress(sipAddress) ?? store.cached(sipAddress);
    if (owner !== undefined) await presences.change(owner, (before) => inCalls(this.calls.of(sipAddress))(before));
  }

  /** Ends early when there is work to do. */
  private async pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }
}
