import type { PacketContent } from '@ringdown/capture';
import type { Metrics } from '@ringdown/observability';
import type { RecordSender } from '@ringdown/feed-client';
import type { RequestFailure, FrontEndFeed } from '@ringdown/call-capture';
import type { RecordQueue } from './record-queue.js';

type Counter<L extends string> = ReturnType<typeof Metrics.prototype.counter<L>>;

/** The metrics of a running sender. `ringdown-sender status` shows the same numbers. */
export class SenderMetrics {
  /** HEP packets by content. Incremented directly. */
  readonly packets: Record<PacketContent, number> = {
    sip: 0,
    rtcp: 0,
    rtp: 0,
    'rtp-statistics': 0,
    other: 0,
  };
  readonly rejected: Counter<'problem'>;
  /** By outcome. */
  readonly records: Counter<'outcome'>;
  /** Of the records that were answered. */
  readonly withoutCount: Counter<never>;
  readonly forgotten: Counter<'why'>;
  /** Peers are bounded. */
  readonly requestFailures: Counter<keyof RequestFailure>;
  /** Reports of these failures, by outcome. */
  readonly failureReports: Counter<'outcome'>;
  readonly retries: Counter<never>;
  readonly failovers: Counter<never>;
  /** Messages of calls, by outcome. */
  readonly traced: Counter<'outcome'>;

  constructor(private readonly metrics: Metrics) {
    metrics.observedCounter('sender_hep_packets_total', 'HEP packets that were read', 'content', () => this.packets);
    this.rejected = metrics.counter('sender_hep_refused_total', 'Packets that are not HEP, or without the password', [
      'problem',
    ]);
    this.records = metrics.counter('sender_records_total', 'Records by outcome', ['outcome']);
    this.withoutCount = metrics.counter(
      'sender_answers_without_count_total',
      'Answers with status 200 and without Count',
    );
    this.forgotten = metrics.counter('sender_calls_forgotten_total', 'Calls forgotten without an end', ['why']);
    this.requestFailures = metrics.counter(
      'sender_request_failures_total',
      'REGISTER, OPTIONS, MESSAGE and SUBSCRIBE that failed, or had no response (status "none")',
      ['method', 'status', 'peer'],
    );
    this.failureReports = metrics.counter(
      'sender_failure_reports_total',
      'Reports of these failures: stored by the collector, failed and to be sent again, or refused',
      ['outcome'],
    );
    this.retries = metrics.counter('sender_retries_total', 'Records sent again');
    this.traced = metrics.counter(
      'sender_trace_messages_total',
      'Messages of calls: stored by the collector, dropped because the queue was full, or refused',
      ['outcome'],
    );
    this.failovers = metrics.counter('sender_failovers_total', 'Failovers to the other collector');
  }

  observeTracing(waiting: () => number): void {
    this.metrics.observedGauge('sender_trace_queue_length', 'Messages of calls waiting to be sent', waiting);
  }

  observe(feed: FrontEndFeed, queue: RecordQueue, recordSender: RecordSender): void {
    const { metrics } = this;
    metrics.observedGauge('sender_open_calls', 'Calls in progress', () => feed.openCalls);
    metrics.observedGauge(
      'sender_unreported_calls',
      'Calls that the version of the records cannot express: ringing, or without an answer or rejection',
      () => feed.unreportedCalls,
    );
    metrics.observedGauge('sender_queue_length', 'Records waiting to be sent', () => queue.length);
    metrics.observedGauge('sender_uses_alternative', '1 while records go to ALTERNATIVE_URI', () =>
      recordSender.usesAlternative ? 1 : 0,
    );
    metrics.observedGauge('sender_sip_messages', 'SIP messages that were read', () => feed.counts.sip);
    metrics.observedGauge('sender_sip_refused', 'Packets marked as SIP that are not', () => feed.counts.rejected);
    metrics.observedGauge('sender_quality_reports', 'Quality reports of known streams', () => feed.counts.reports);
    metrics.observedCounter(
      'sender_quality_reports_uncounted_total',
      'Quality reports that do not count',
      'reason',
      () => {
        return feed.counts.uncounted;
      },
    );
    metrics.observedGauge('sender_rtp_packets', 'RTP packets that were read', () => feed.counts.rtp);
    metrics.observedCounter(
      'sender_sip_messages_unplaced_total',
      'SIP messages of calls that fit no call, or only in part',
      'reason',
      () => feed.counts.unplaced,
    );
    metrics.observedGauge(
      'sender_sip_parts',
      'HEP packets that were further parts of a SIP message',
      () => feed.counts.parts,
    );
    metrics.observedGauges(
      'sender_rtp_packets_uncounted',
      'RTP packets that count for no call so far; streams that began before their call may count later',
      'reason',
      () => feed.uncountedRtp,
    );
    metrics.observedGauge(
      'sender_rtp_streams_forgotten',
      'Streams that were forgotten because too many belong to no known call',
      () => feed.forgottenStreams,
    );
    metrics.observedGauge('sender_ignored', 'Keep-alives, logs, and RTCP without reports', () => feed.counts.ignored);
  }
}
