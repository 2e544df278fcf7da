import { TRACES_STORED_SUBJECT, type TraceBatch, type TracesStored } from '@ringdown/contracts/traces';
import { TraceReader } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { callKey } from '../calls/call-keys.js';
import { FixedDelayTask } from '../feed/fixed-delay-task.js';
import { PreparedStart } from '../feed/prepared-start.js';
import { isDataError } from '../store/database/query-errors.js';
import type { TraceMetrics } from './trace-metrics.js';
import type { TraceRetention, TraceSegments } from './trace-segments.js';
import type { TraceStore } from './trace-store.js';

export interface TraceIntakeOptions {
  readonly bus: Bus;
  readonly store: TraceStore;
  readonly segments: TraceSegments;
  readonly retention: TraceRetention;
  readonly metrics: TraceMetrics;
  readonly logger: Logger;
}

const MAINTAIN_MS = 60_000;
/** The longest rest after a batch. */
const MOST_REST_MS = 5_000;

/**
 * Reads messages of calls from the bus into the database. After each batch it rests for as long as the batch took, so that the
 * database always has at least half of its time for records.
 */
export class TraceIntake {
  private readonly reader: TraceReader;
  private readonly maintenance: FixedDelayTask;
  private readonly beginning: PreparedStart;

  constructor(private readonly options: TraceIntakeOptions) {
    const { bus, segments, metrics, logger } = options;
    this.reader = new TraceReader({
      bus,
      logger,
      handle: (batch) => this.process(batch),
      onUnreadable: () => metrics.unreadable(),
    });
    this.maintenance = new FixedDelayTask({
      work: () => this.maintain(),
      periodMs: MAINTAIN_MS,
      logger,
      failure: 'stored messages of calls could not be maintained; trying again in a minute',
      recovery: 'stored messages of calls are maintained again',
    });
    this.beginning = new PreparedStart({
      isPrepared: () => segments.prepare(),
      begin: () => {
        this.maintenance.start();
        this.reader.start();
      },
      content: 'messages of calls',
      logger,
    });
  }

  /** Returns at once: it begins when the database has its tables. */
  start(): void {
    this.beginning.start();
  }

  async stop(): Promise<void> {
    await this.beginning.stop();
    await Promise.all([this.maintenance.stop(), this.reader.stop()]);
  }

  private async process(batch: TraceBatch): Promise<void> {
    const { store, metrics, logger } = this.options;
    const began = performance.now();
    try {
      const added = await store.add(batch);
      metrics.stored(added, batch.messages.length - added);
      this.announce(batch);
    } catch (error) {
      if (!isDataError(error)) throw error;
      metrics.unreadable();
      logger.warn({ err: error, frontEnd: batch.frontEnd }, 'the database rejected messages of calls');
    }
    const rest = Math.min(performance.now() - began, MOST_REST_MS);
    await this.pause(rest);
  }

  private async pause(milliseconds: number): Promise<void> {
    // Ends early when it has to stop.
    await sleep(milliseconds, undefined, { signal: this.beginning.signal }).catch(() => undefined);
  }

  private announce({ messages }: TraceBatch): void {
    const stored: TracesStored = { callIds: [...new Set(messages.map(({ callId }) => callKey(callId)))] };
    this.options.bus.publish(TRACES_STORED_SUBJECT, stored);
  }

  private async maintain(): Promise<void> {
    const { segments, retention, metrics, logger } = this.options;
    const { dropped, bytes } = await segments.maintain(retention);
    metrics.setBytes(bytes);
    if (dropped > 0) logger.info({ dropped, ...retention }, 'the oldest messages of calls were deleted');
  }
}
