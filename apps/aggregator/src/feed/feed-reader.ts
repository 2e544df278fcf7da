import { Semaphore } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import { PartitionReader, RecordsWindow, type Position, type ReadBatch } from '@ringdown/feed-bus';
import { offerBundles } from '@ringdown/feed-bus/streams';
import type { Bus } from '@ringdown/nats';
import { OutageLog, type Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallQueries } from '../store/calls/call-queries.js';
import { ReadingAttempts } from '../store/database/reading-attempts.js';
import type { CallStore } from '../store/calls/call-store.js';
import type { Database } from '../store/database/database.js';
import type { FeedPartitions } from '../store/feed/feed-partitions.js';
import { migrate } from '../store/database/migrations.js';
import { PositionMoved } from '../store/feed/positions.js';
import { BacklogWatch } from './backlog-watch.js';
import type { CallSweeper } from './call-sweeper.js';
import type { CallsChangedPublisher } from './calls-changed.js';
import { CrashLoopGuard } from './crash-loop-guard.js';
import type { ClockWatch } from './clock-watch.js';
import { DamagedPartitions } from './damaged-partitions.js';
import type { FeedMetrics } from './feed-metrics.js';
import { GroupCommit, type CommitPlace, type GroupCommitOptions } from './group-commit.js';
import type { HistoryMaintenance } from './history-maintenance.js';
import type { LossWatch } from './loss-watch.js';
import { PartitionLeases } from './partition-leases.js';
import { SetAside } from './set-aside.js';
import type { KnownTime } from './time-of-receipt.js';

export interface FeedReaderOptions {
  readonly bus: Bus;
  readonly database: Database;
  readonly store: CallStore;
  readonly partitions: FeedPartitions;
  readonly queries: CallQueries;
  readonly changed: CallsChangedPublisher;
  readonly sweeper: CallSweeper;
  readonly historyMaintenance: HistoryMaintenance;
  readonly clocks: ClockWatch;
  readonly losses: LossWatch;
  readonly metrics: FeedMetrics;
  readonly logger: Logger;
  /** When a replica has sent no sign of life for this long, others read its partitions. */
  readonly leaseMs?: number;
}

const RETRY_MS = 1_000;
const COUNT_CALLS_MS = 10_000;

/**
 * Reads its share of the feed's partitions into the database while it runs, including through outages of the bus or the
 * database.
 */
export class FeedReader {
  private readonly stopping = new AbortController();
  private readonly readers = new Map<number, PartitionReader>();
  private readonly groups: GroupCommit;
  private readonly window: RecordsWindow;
  private readonly leases: PartitionLeases;
  private readonly setAside: SetAside;
  private readonly crashLoopGuard: CrashLoopGuard;
  private readonly backlog: BacklogWatch;
  private readonly running: Promise<unknown>[] = [];
  /**
   * Partitions in which a batch may have been stored without being published: at the end of a process or connection.
   */
  private readonly unpublished = new Set<number>();
  private readonly damaged = new DamagedPartitions();
  private prepared = false;
  /** Why the database is not prepared yet, if an attempt has failed. */
  private notPreparedBecause: string | undefined;
  private readonly outage: OutageLog;

  constructor(private readonly options: FeedReaderOptions) {
    const { bus, database, metrics, logger } = options;
    this.window = new RecordsWindow({ bus, logger });
    // A standby that was promoted may lack the newest batches: they are read again.
    database.onSwitch(() => this.readers.forEach((reader) => reader.restart()));
    this.backlog = new BacklogWatch({ bus, metrics, logger });
    this.setAside = new SetAside({ bus, metrics, logger });
    const time = async (): Promise<KnownTime> => {
      const { clocks } = options;
      await clocks.compareAfterJump();
      return { now: clocks.now(), isBusRight: clocks.isBusRight };
    };
    const setAside: GroupCommitOptions['setAside'] = ({ partition, after }, unprocessable) =>
      this.setAside.records(partition, after.sequence, unprocessable);
    const storing = { store: options.store, time, logger, setAside };
    this.crashLoopGuard = new CrashLoopGuard({ ...storing, attempts: new ReadingAttempts(database) });
    const slots = new Semaphore(database.writesAtOnce);
    this.groups = new GroupCommit({ ...storing, guard: this.crashLoopGuard, slots });
    const [failure, recovery] = [
      'records cannot be read and stored; trying again',
      'records are read and stored again',
    ];
    this.outage = new OutageLog({ logger, failure, recovery });
    this.leases = new PartitionLeases({
      bus,
      logger,
      partitions: () => options.partitions.count,
      onAcquire: (partition, handedOver) => this.begin(partition, handedOver),
      onRelease: (partition) => this.end(partition),
      leaseMs: options.leaseMs,
      offerBundles: () => this.offerBundles(),
    });
  }

  /**
   * Returns at once: the reader waits for a database that is not available yet, and readiness reports that meanwhile.
   */
  start(): void {
    const { metrics, partitions } = this.options;
    metrics.setPartitions(0, partitions.count);
    this.running.push(this.read(), this.countCalls());
    this.backlog.start();
  }

  /** Partitions that it currently reads. */
  get partitions(): readonly number[] {
    return [...this.readers.keys()].toSorted((a, b) => a - b);
  }

  /** Whether the tables exist. */
  get isPrepared(): boolean {
    return this.prepared;
  }

  /** A health check. */
  assertPrepared(): void {
    if (this.prepared) return;
    const reason = this.notPreparedBecause;
    throw new Error(reason === undefined ? 'the database is not prepared yet' : reason);
  }

  /** A health check. */
  assertStores(): void {
    this.damaged.assertNone();
  }

  /** Finishes the current batches. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const { sweeper, historyMaintenance, clocks } = this.options;
    await Promise.all([sweeper.stop(), historyMaintenance.stop(), clocks.stop(), this.backlog.stop()]);
    await this.leases.stop();
    await Promise.all(this.running);
    this.options.changed.close();
  }

  private async read(): Promise<void> {
    const { database, store, partitions, historyMaintenance, clocks, logger } = this.options;
    const outage = new OutageLog({
      logger,
      failure: 'the database could not be prepared; trying again',
      recovery: 'the database is prepared',
    });
    while (!this.prepared && !this.stopping.signal.aborted) {
      try {
        await migrate(database);
        await store.prepare();
        await partitions.prepare();
        await historyMaintenance.prepare();
        // Before anything is read: records received in the future are detected by it.
        await clocks.compare();
        this.prepared = true;
        outage.succeeded('database');
      } catch (error) {
        this.notPreparedBecause = errorReason(error);
        outage.failed('database', this.notPreparedBecause);
        await this.pause(RETRY_MS);
      }
    }
    if (this.stopping.signal.aborted) return;
    this.leases.start();
    this.options.sweeper.start();
    historyMaintenance.start();
    clocks.start();
  }

  private async offerBundles(): Promise<void> {
    const { bus, logger } = this.options;
    if (await offerBundles(bus)) logger.info('collectors may store records of several partitions in one message');
  }

  private begin(partition: number, handedOver: boolean): void {
    const reader = this.readerOf(partition);
    this.readers.set(partition, reader);
    if (!handedOver) this.unpublished.add(partition);
    reader.start();
    this.options.metrics.setPartitions(this.readers.size, this.options.partitions.count);
  }

  /** Whether everything that was stored is published. */
  private async end(partition: number): Promise<boolean> {
    const { metrics, changed } = this.options;
    await this.readers.get(partition)?.stop();
    this.readers.delete(partition);
    this.damaged.end(partition);
    metrics.setPartitions(this.readers.size, this.options.partitions.count);
    this.backlog.end(partition);
    this.groups.end(partition);
    await this.crashLoopGuard.end(partition);
    if (!this.unpublished.delete(partition)) return changed.flush();
    // When another replica has taken the partition over already, no one tells that replica to announce it.
    changed.readAgain();
    return false;
  }

  private readerOf(partition: number): PartitionReader {
    const { bus, partitions, logger } = this.options;
    const place = this.groups.place(partition, () => reader.inHand);
    const reader = new PartitionReader({
      bus,
      window: this.window,
      partition,
      partitions: () => partitions.count,
      logger,
      outage: this.outage,
      batches: place,
      loadPosition: () => this.damaged.note(partition, 'load position', this.loadPosition(partition)),
      beforeReading: (position) =>
        this.damaged.note(partition, 'before reading', this.crashLoopGuard.begin(partition, position)),
      handle: (batch) => this.damaged.note(partition, 'store', this.process(batch, place)),
      onPoison: (message, reason) => this.setAside.message(partition, message, reason),
    });
    return reader;
  }

  private async loadPosition(partition: number): Promise<Position | undefined> {
    const { losses, partitions, store, changed } = this.options;
    await losses.check();
    await partitions.load();
    const position = (await store.positions()).get(partition);
    this.backlog.read(partition, position);
    if (this.unpublished.delete(partition)) changed.readAgain();
    return position;
  }

  private async process(batch: ReadBatch, place: CommitPlace): Promise<void> {
    const { metrics } = this.options;
    const { partition } = batch;
    const committed = await metrics
      .timed(() => this.groups.process(batch, place))
      .catch((error: unknown) => {
        if (error instanceof PositionMoved) metrics.countCollision();
        // Stored by this replica or by another one, and perhaps not announced.
        this.unpublished.add(partition);
        throw error;
      });
    this.setAside.clear(partition);
    const { calls, completed, added, duplicates, reread, impossibleValues } = committed;
    this.options.changed.publish(calls);
    metrics.completed(completed);
    metrics.count('folded', added);
    metrics.count('duplicate', duplicates);
    metrics.count('reread', reread);
    metrics.countImpossible(impossibleValues);
    this.backlog.read(partition, batch.after, batch.backlog);
  }

  private async countCalls(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      if (this.prepared) {
        const { queries, metrics, partitions } = this.options;
        // Another replica may have divided the feed while there was nothing to read.
        await partitions.load().catch(() => undefined);
        metrics.setCalls(await queries.countInProgress().catch(() => undefined));
        metrics.setRecentCalls(await queries.countRecent().catch(() => []));
        // The readers log what prevents them from reading.
        await this.options.losses.check().catch(() => undefined);
        await this.options.losses.countMissing().catch(() => undefined);
      }
      await this.pause(this.prepared ? COUNT_CALLS_MS : RETRY_MS);
    }
  }

  /** Ends early when the reader stops. */
  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
