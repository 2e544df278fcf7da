import { CoalescedTask } from '@ringdown/concurrency';
import { CALL_CHANGES_STREAM, type CallsChanged } from '@ringdown/contracts/calls';
import { ensureCallChangesStream } from '@ringdown/feed-bus/streams';
import type { Bus } from '@ringdown/nats';
import { StreamTail, type TailMessage, type TailStart } from '@ringdown/nats/reading';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger, Metrics } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../calls/call.js';
import type { SiteLookup } from '../search/sites/site-table.js';
import type { CallQueries } from '../store/calls/call-queries.js';
import { READER_LIMIT } from '../settings/user-limit-settings.js';
import { liveEpoch, positionOfEvent, type LivePosition } from './live-position.js';
import { LiveReader, type LiveReaderOptions } from './live-reader.js';
import { LiveTexts } from './live-texts.js';
import { RecentChanges, PublishedChange } from './recent-changes.js';
import { liveSnapshot, type Snapshot } from './snapshot.js';

export interface LiveReadersOptions {
  readonly sites: SiteLookup;
  readonly bus: Bus;
  readonly queries: CallQueries;
  readonly hiding: Pick<IdentityHiding, 'data' | 'outline'>;
  /** The longest time for hiding the users of one call. */
  readonly limitMs: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The properties of one reader; the rest is the same for all. */
export interface NewReader extends Pick<LiveReaderOptions, 'output' | 'isStillAllowed' | 'onRevoked' | 'allowedUntil'> {
  /** Whether it sees users. */
  readonly isShown: boolean;
  /** Id of the last event that it received, when it returns. */
  readonly lastEventId: string | undefined;
  /** Called once, before anything is written. */
  readonly begin: () => void;
}

/** Is notified of the changes of all calls. */
export interface ChangesListener {
  /** Changes are parsed only if somebody needs them. */
  readonly isNeeded: () => boolean;
  /** Undefined when it is not known which calls have changed. */
  readonly onChanged: (calls: readonly Call[] | undefined) => void;
}

/** More calls in a snapshot than a person can look at; the reader is sent the total number. */
const SNAPSHOT_CALLS = 1_000;
/** The changes that are kept for returning readers; with more missed calls, a reader gets a snapshot anyway. */
const CACHED_CALLS = 4_000;
const CACHED_CHARACTERS = 16 * 1_024 * 1_024;
/** How long a reader waits at the start of the process for the changes that other replicas have published before. */
const CATCH_UP_MS = 5_000;

/**
 * All readers that follow the calls through this process. Changes arrive over the bus, from whichever replica made
 * them.
 */
export class LiveReaders {
  private readonly readers = new Set<LiveReader>();
  private readonly listeners = new Set<ChangesListener>();
  /** Many readers return at the same moment, for example after a restart, and the database has other work too. */
  private readonly snapshots: CoalescedTask<Snapshot>;
  private readonly texts: LiveTexts;
  private readonly recent = new RecentChanges({ calls: CACHED_CALLS, characters: CACHED_CHARACTERS });
  private readonly tail: StreamTail;
  private readonly caughtUp = Promise.withResolvers<void>();
  private epoch = '';
  /** Number of the last message that existed when reading began. */
  private newestAtStart = 0;
  private closed = false;

  constructor(private readonly options: LiveReadersOptions) {
    const { bus, metrics, queries, logger } = options;
    this.texts = new LiveTexts(options);
    this.snapshots = new CoalescedTask(async () => {
      // What is published after this may or may not be in the snapshot; what was published before is in it.
      const position = this.recent.newest;
      return liveSnapshot(await queries.inProgress(SNAPSHOT_CALLS), position);
    });
    metrics.observedGauge('live_readers', 'Readers of the live stream of calls', () => this.readers.size);
    this.tail = new StreamTail({
      bus,
      stream: CALL_CHANGES_STREAM,
      logger,
      backBytes: CACHED_CHARACTERS,
      prepare: () => ensureCallChangesStream(bus),
      onStart: (start) => this.onStart(start),
      onMessage: (message) => this.onMessage(message),
    });
    this.tail.start();
  }

  get isFull(): boolean {
    return this.closed || this.readers.size >= READER_LIMIT;
  }

  /** Rejects when the first snapshot cannot be read, before anything is written. Resolves when the reader ends. */
  async follow({ lastEventId, begin, isShown, ...newReader }: NewReader): Promise<void> {
    await Promise.race([this.caughtUp.promise, sleep(CATCH_UP_MS, undefined, { ref: false })]);
    const { logger } = this.options;
    const reader = new LiveReader({
      ...newReader,
      textOfCall: (call) => this.texts.ofCall(call, isShown),
      textOfSnapshot: ({ inProgress }) => this.texts.ofSnapshot(inProgress, isShown),
      snapshot: () => this.snapshots.run(),
      logger,
    });
    const last = lastEventId === undefined ? undefined : positionOfEvent(lastEventId);
    const missed = last && this.recent.since(last);
    this.readers.add(reader);
    try {
      if (last && missed) reader.resume(last, missed);
      else await reader.prepare();
      begin();
      await reader.run();
    } finally {
      this.readers.delete(reader);
    }
  }

  /** Returns the function that ends it. */
  listen(listener: ChangesListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Ends all streams; their clients reconnect, to another replica. */
  async close(): Promise<void> {
    this.closed = true;
    for (const reader of this.readers) reader.end();
    await this.tail.stop();
  }

  private onStart({ epoch, after, afterStoredAt = 0, newest }: TailStart): void {
    this.epoch = liveEpoch(epoch);
    this.newestAtStart = newest;
    this.recent.begin({ epoch: this.epoch, sequence: after, storedAt: afterStoredAt });
    for (const reader of this.readers) reader.readAgain();
    this.notify(() => undefined);
    if (after >= newest) this.caughtUp.resolve();
  }

  private onMessage({ sequence, storedAt, body }: TailMessage): void {
    const position = { epoch: this.epoch, sequence, storedAt };
    const before = this.recent.newest ?? { epoch: this.epoch, sequence: sequence - 1, storedAt: 0 };
    const change = new PublishedChange(position, before, body.length, () => this.read(sequence, body));
    if (this.readers.size > 0 && change.calls.length === 0) this.onMissedChanges(position);
    else this.pass(change);
    this.notify(() => (change.calls.length === 0 ? undefined : change.calls));
    if (sequence >= this.newestAtStart) this.caughtUp.resolve();
  }

  /** An empty list means that something may not have been published. */
  private read(sequence: number, body: string): readonly Call[] {
    const calls = callsIn(body);
    if (calls === undefined)
      this.options.logger.warn({ sequence }, 'a message about changed calls has an unknown format');
    return calls ?? [];
  }

  private notify(changed: () => readonly Call[] | undefined): void {
    for (const { isNeeded, onChanged } of this.listeners) if (isNeeded()) onChanged(changed());
  }

  private pass(change: PublishedChange): void {
    this.recent.add(change);
    for (const reader of this.readers) reader.offer(change);
  }

  private onMissedChanges(position: LivePosition): void {
    this.recent.begin(position);
    for (const reader of this.readers) reader.readAgain();
  }
}

/** Undefined for a message in another format: only aggregators write them, but another version may have other calls. */
function callsIn(body: string): readonly Call[] | undefined {
  try {
    const message: unknown = JSON.parse(body);
    return isCallsChanged(message) ? message.calls : undefined;
  } catch {
    return undefined;
  }
}

function isCallsChanged(message: unknown): message is CallsChanged<Call> {
  return (
    typeof message === 'object' &&
    message !== null &&
    'calls' in message &&
    Array.isArray(message.calls) &&
    message.calls.every((call: unknown) => typeof call === 'object' && call !== null && 'callId' in call)
  );
}
