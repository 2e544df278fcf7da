import { CALLS_CHANGED_SUBJECT, type Bus } from '@ringdown/bus';
import type { Logger, Metrics } from '@ringdown/observability';
import { randomBytes } from 'node:crypto';
import type { Call } from '../calls/call.js';
import type { CallQueries } from '../store/call-queries.js';
import { LiveReader, type LiveReaderOptions } from './live-reader.js';
import { SharedReading } from './shared-reading.js';
import { snapshotOf, type Snapshot } from './snapshot.js';

export interface LiveCallsOptions {
  readonly bus: Bus;
  readonly queries: CallQueries;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** What a reader brings along; the rest is the same for all. */
export type NewReader = Pick<LiveReaderOptions, 'output' | 'isStillAllowed' | 'allowedUntil'>;

export const READER_LIMIT = 500;
/** A snapshot of more calls than a person can look at; the reader is told how many there are. */
const SNAPSHOT_CALLS = 1_000;

/** Everybody who follows the calls through this process. Changes come over the bus, from whichever replica made them. */
export class LiveCalls {
  private readonly readers = new Set<LiveReader>();
  /** Many come back at the same moment, after a restart for example, and the database has other work too. */
  private readonly snapshots: SharedReading<Snapshot>;
  private readonly unsubscribe: () => void;
  /** Tells the events of one process from those of the next. */
  private readonly origin = randomBytes(4).toString('hex');
  private events = 0;
  private closed = false;

  constructor(private readonly options: LiveCallsOptions) {
    const { bus, metrics, queries } = options;
    this.snapshots = new SharedReading(async () => snapshotOf(await queries.inProgress(SNAPSHOT_CALLS)));
    metrics.observedGauge('live_readers', 'Readers of the live stream of calls', () => this.readers.size);
    this.unsubscribe = bus.subscribe(CALLS_CHANGED_SUBJECT, (message) => this.tell(message));
  }

  get isFull(): boolean {
    return this.closed || this.readers.size >= READER_LIMIT;
  }

  /** Rejects when the first snapshot cannot be had, before anything is written. Ends with the reader. */
  async follow(newReader: NewReader, begin: () => void): Promise<void> {
    const reader = new LiveReader({
      ...newReader,
      snapshot: () => this.snapshots.get(),
      nextEventId: () => `${this.origin}-${++this.events}`,
      logger: this.options.logger,
    });
    this.readers.add(reader);
    try {
      await reader.prepare();
      begin();
      await reader.run();
    } finally {
      this.readers.delete(reader);
    }
  }

  /** Ends all streams; their clients come back, to another replica. */
  close(): void {
    this.closed = true;
    this.unsubscribe();
    for (const reader of this.readers) reader.end();
  }

  private tell(message: unknown): void {
    if (!isCallsChanged(message)) return this.options.logger.warn('an unknown message about changed calls');
    for (const reader of this.readers) {
      if (message.calls.length === 0) reader.readAgain();
      for (const call of message.calls) reader.offer(call);
    }
  }
}

/** Only aggregators write to this subject; another version of one may know calls of another shape. */
function isCallsChanged(message: unknown): message is { calls: readonly Call[] } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'calls' in message &&
    Array.isArray(message.calls) &&
    message.calls.every((call: unknown) => typeof call === 'object' && call !== null && 'callId' in call)
  );
}
