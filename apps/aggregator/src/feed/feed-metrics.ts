import { PARTITIONS, subjectNumber } from '@ringdown/contracts/records';
import type { Metrics } from '@ringdown/observability';
import type { RecentCalls } from '../store/calls/call-queries.js';
import { IN_PROGRESS, type Call, type CallState, type EndReason } from '../calls/call.js';
import type { KnownLosses } from './known-losses.js';

export type RecordOutcome = 'folded' | 'duplicate' | 'reread' | 'set_aside';

const TIME_OUT_REASONS: readonly EndReason[] = ['expired', 'reported'];
const FINAL_STATES: readonly CallState[] = ['ended', 'failed', 'expired'];

/** The metrics of the path from the bus to the database. */
export class FeedMetrics {
  private readonly records;
  private readonly batchSeconds;
  private readonly backlog;
  private readonly dropped;
  private readonly shortened;
  private readonly missing;
  private readonly clocks;
  private readonly allPartitions;
  private readonly partitions;
  private readonly calls;
  private readonly recentCalls;
  private readonly timeOuts;
  private readonly completions;
  private readonly collisions;
  private readonly impossible;
  private readonly pastDue;

  constructor(metrics: Metrics) {
    this.records = metrics.counter('aggregator_records_total', 'Records read from the bus', ['outcome']);
    this.batchSeconds = metrics.seconds(
      'aggregator_batch_seconds',
      'Time to fold and store one batch, together with those of its group',
      ['result'],
    );
    const backlog = 'Messages that are still to be read; partitions with the same subject count the same ones';
    this.backlog = metrics.gauge('aggregator_backlog_messages', backlog, ['partition', 'subject']);
    const dropped = 'Messages with records that the bus dropped before they were read, noticed within a day; at least';
    this.dropped = metrics.gauge('aggregator_dropped_messages', dropped);
    const shortened = 'Times within a day that the bus restarted without its newest messages';
    this.shortened = metrics.gauge('aggregator_bus_shortened', shortened);
    const missing =
      'Records that running collectors have accepted and the bus has lost before they were read; at least';
    this.missing = metrics.gauge('aggregator_missing_records', missing);
    const clocks = 'How far clocks are ahead of the clock of the database, by which calls expire';
    this.clocks = metrics.gauge('aggregator_clock_ahead_seconds', clocks, ['clock']);
    this.partitions = metrics.gauge('aggregator_partitions', 'Partitions of the feed that this replica reads');
    this.allPartitions = metrics.gauge('aggregator_feed_partitions', 'Partitions into which the feed is divided');
    this.calls = metrics.gauge('calls_in_progress', 'Calls in progress, counted in the database', ['state']);
    const recent = 'Calls that began within the last hour, counted in the database';
    this.recentCalls = metrics.gauge('recent_calls', recent, ['state', 'verdict']);
    this.timeOuts = metrics.counter('aggregator_calls_timed_out_total', 'Calls that a time-out has ended', ['reason']);
    const completion = 'Calls that completed, by final state';
    this.completions = metrics.counter('aggregator_calls_completed_total', completion, ['state']);
    const collision = 'Batches that another replica had stored already; nothing was stored twice';
    this.collisions = metrics.counter('aggregator_update_collisions_total', collision);
    const impossible = 'Metrics in records whose value cannot be; they are shown, and not judged or counted';
    this.impossible = metrics.counter('aggregator_impossible_values_total', impossible);
    const pastDue = 'Calls whose time-out is due but waits for unread records of their partition';
    this.pastDue = metrics.gauge('aggregator_past_due_calls', pastDue);
    for (const reason of TIME_OUT_REASONS) this.timeOuts.inc({ reason }, 0);
    for (const state of FINAL_STATES) this.completions.inc({ state }, 0);
    for (const outcome of ['folded', 'duplicate', 'reread', 'set_aside'] as const) this.records.inc({ outcome }, 0);
    for (let partition = 0; partition < PARTITIONS; partition++) this.setBacklog(partition, 0);
  }

  count(outcome: RecordOutcome, records: number): void {
    this.records.inc({ outcome }, records);
  }

  countImpossible(values: number): void {
    this.impossible.inc(values);
  }

  async timed<T>(work: () => Promise<T>): Promise<T> {
    const done = this.batchSeconds.startTimer();
    try {
      const result = await work();
      done({ result: 'stored' });
      return result;
    } catch (error) {
      done({ result: 'failed' });
      throw error;
    }
  }

  setBacklog(partition: number, messages: number): void {
    this.backlog.set({ partition: String(partition), subject: String(subjectNumber(partition)) }, messages);
  }

  setLosses({ droppedMessages, shortened, missingRecords }: KnownLosses): void {
    this.dropped.set(droppedMessages);
    this.shortened.set(shortened);
    if (missingRecords !== null) this.missing.set(missingRecords);
  }

  /** Seconds by the name of the clock's owner; a service that has stopped has no value. */
  setClocks(ahead: Readonly<Record<string, number>>): void {
    this.clocks.reset();
    for (const [clock, seconds] of Object.entries(ahead)) this.clocks.set({ clock }, seconds);
  }

  /** How many partitions this replica reads, of how many. */
  setPartitions(read: number, all: number): void {
    this.partitions.set(read);
    this.allPartitions.set(all);
  }

  timedOut(calls: readonly Call[]): void {
    for (const { endReason } of calls) if (endReason !== null) this.timeOuts.inc({ reason: endReason });
    this.completed(calls);
  }

  /** A call that is in progress again, because of a late record, completes again. */
  completed(calls: readonly Call[]): void {
    for (const { state } of calls) this.completions.inc({ state });
  }

  countCollision(): void {
    this.collisions.inc();
  }

  setPastDue(calls: number): void {
    this.pastDue.set(calls);
  }

  /** Empty while they cannot be counted. */
  setRecentCalls(counts: readonly RecentCalls[]): void {
    this.recentCalls.reset();
    for (const { state, verdict, total } of counts) this.recentCalls.set({ state, verdict }, total);
  }

  /** Undefined while they cannot be counted: no figure is better than an old one. */
  setCalls(counts: ReadonlyMap<CallState, number> | undefined): void {
    if (counts === undefined) this.calls.reset();
    else for (const state of IN_PROGRESS) this.calls.set({ state }, counts.get(state) ?? 0);
  }
}
