import { partitionBacklogs, type Position } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import type { FeedMetrics } from './feed-metrics.js';
import { FixedDelayTask } from './fixed-delay-task.js';

export interface BacklogWatchOptions {
  readonly bus: Bus;
  readonly metrics: FeedMetrics;
  readonly logger: Logger;
}

const PERIOD_MS = 10_000;

/** Measures how much waits in the partitions of this replica, also while nothing can be stored. */
export class BacklogWatch {
  /** How far each has been read; a partition without a stored position is read from the start. */
  private readonly reached = new Map<number, Position | undefined>();
  /** Those whose batches have told what waits, since this measurement began. */
  private readonly told = new Set<number>();
  private readonly task: FixedDelayTask;

  constructor(private readonly options: BacklogWatchOptions) {
    this.task = new FixedDelayTask({
      work: () => this.measure(),
      periodMs: PERIOD_MS,
      logger: options.logger,
      failure: 'unread messages cannot be counted; trying again',
      recovery: 'unread messages are counted again',
    });
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** `waiting`: undefined where the bus did not tell it with the messages. */
  read(partition: number, position: Position | undefined, waiting?: number): void {
    this.reached.set(partition, position);
    if (waiting === undefined) return;
    this.told.add(partition);
    this.options.metrics.setBacklog(partition, waiting);
  }

  /** Another replica reads it now. */
  end(partition: number): void {
    this.reached.delete(partition);
    this.options.metrics.setBacklog(partition, 0);
  }

  private async measure(): Promise<void> {
    const { bus, metrics } = this.options;
    this.told.clear();
    const before = new Map(this.reached);
    for (const { partition, messages } of await partitionBacklogs(bus, before, [...before.keys()])) {
      if (this.reached.has(partition) && !this.told.has(partition)) metrics.setBacklog(partition, messages);
    }
  }
}
