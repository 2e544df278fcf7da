import type { KnownFrontEnds, PublishObserver, RecordPublisher } from '@ringdown/feed-bus';
import type { Metrics } from '@ringdown/observability';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { REFUSAL_CODES, type RefusalCode } from './feed-refusal.js';

/** The limit that a connection exceeded. */
type DropLimit = 'port' | 'address';

/**
 * The metrics of the feed's ingress: the counters of diagnostics-feed.md, 4.6. Names of front ends, users and paths
 * never become labels, because callers choose them.
 */
export class CollectorMetrics implements PublishObserver {
  private readonly requests;
  private readonly bytes;
  private readonly answering;
  private readonly records;
  private readonly refused;
  private readonly unavailable;
  private readonly notStored;
  private readonly probes;
  private readonly configurations;
  private readonly connections;
  private readonly droppedConnections;
  private readonly handshakes;
  private readonly publishes;
  private readonly storing;
  private readonly traces;
  private readonly sipFailures;

  constructor(private readonly metrics: Metrics) {
    this.requests = metrics.counter('collector_requests_total', 'Requests that got a reply, with any status');
    this.bytes = metrics.counter('collector_received_bytes_total', 'Bytes of bodies that were read');
    this.answering = metrics.seconds('collector_answer_seconds', 'Time from the head of a request to its reply');
    this.records = metrics.counter('collector_records_total', 'Records stored and acknowledged with 200', ['kind']);
    this.refused = metrics.counter('collector_refused_total', 'Rejected requests, by code', ['code']);
    this.unavailable = metrics.counter(
      'collector_unavailable_total',
      'Records rejected with 503; lost if not sent again',
    );
    this.notStored = metrics.counter('collector_rejected_not_kept_total', 'Rejected bodies that could not be stored');
    this.probes = metrics.counter('collector_probes_total', 'Replies to empty requests');
    this.configurations = metrics.counter(
      'collector_configurations_total',
      'Replies to requests for the configuration',
    );
    this.connections = metrics.gauge('collector_connections', 'Open connections', ['scheme']);
    this.droppedConnections = metrics.counter(
      'collector_connections_dropped_total',
      'Connections over the limit of the port, or of their address',
      ['limit'],
    );
    this.handshakes = metrics.counter('collector_tls_failures_total', 'TLS handshakes that failed');
    this.publishes = metrics.counter('collector_publishes_total', 'Attempts to send a message to the bus', ['outcome']);
    this.storing = metrics.seconds('collector_publish_seconds', 'Time until a record is stored');
    this.traces = metrics.counter(
      'collector_trace_messages_total',
      'Messages of calls: stored on the bus, or rejected with 503 because the bus is full or down',
      ['outcome'],
    );
    this.sipFailures = metrics.counter(
      'collector_sip_failure_reports_total',
      'Reports of failed SIP requests: stored on the bus, or rejected with 503 because the bus is full or down',
      ['outcome'],
    );
    for (const outcome of ['stored', 'rejected'] as const) {
      this.traces.inc({ outcome }, 0);
      this.sipFailures.inc({ outcome }, 0);
    }
    // Exported from the start, so that the first one of each is an increase that an alert can detect.
    for (const code of REFUSAL_CODES) this.refused.inc({ code }, 0);
    for (const limit of ['port', 'address'] as const) this.droppedConnections.inc({ limit }, 0);
    for (const outcome of ['stored', 'failed'] as const) this.publishes.inc({ outcome }, 0);
  }

  /** Reports the queue of records that wait for the bus. */
  watch(publisher: Pick<RecordPublisher, 'queue'>): void {
    const { metrics } = this;
    metrics.observedGauge('collector_waiting_records', 'Records that wait for the bus', () => publisher.queue.now);
    metrics.observedGauge(
      'collector_waiting_records_max',
      'Maximum number of records that waited for the bus at the same time',
      () => publisher.queue.longest,
    );
  }

  /** Reports how many front ends records have named, and the limit. */
  watchFrontEnds(frontEnds: Pick<KnownFrontEnds, 'size'>, most: number): void {
    const { metrics } = this;
    metrics.observedGauge(
      'collector_front_ends',
      'Front ends that records have named in 30 days',
      () => frontEnds.size,
    );
    metrics.observedGauge('collector_front_ends_limit', 'Maximum number of front ends', () => most);
  }

  answered(seconds: number): void {
    this.requests.inc();
    this.answering.observe(seconds);
  }

  received(bytes: number): void {
    this.bytes.inc(bytes);
  }

  tried(outcome: 'stored' | 'failed'): void {
    this.publishes.inc({ outcome });
  }

  connectionOpened(scheme: 'http' | 'https'): void {
    this.connections.inc({ scheme });
  }

  connectionClosed(scheme: 'http' | 'https'): void {
    this.connections.dec({ scheme });
  }

  stored(record: DiagnosticsRecord, seconds: number): void {
    this.records.inc({ kind: recordKind(record) });
    this.storing.observe(seconds);
  }

  traced(outcome: 'stored' | 'rejected', messages: number): void {
    this.traces.inc({ outcome }, messages);
  }

  sipFailuresReported(outcome: 'stored' | 'rejected'): void {
    this.sipFailures.inc({ outcome });
  }

  refuse(code: RefusalCode): void {
    this.refused.inc({ code });
  }

  lost(): void {
    this.unavailable.inc();
  }

  bodyNotStored(): void {
    this.notStored.inc();
  }

  probed(): void {
    this.probes.inc();
  }

  configured(): void {
    this.configurations.inc();
  }

  handshakeFailed(): void {
    this.handshakes.inc();
  }

  connectionDropped(limit: DropLimit): void {
    this.droppedConnections.inc({ limit });
  }
}

/** Later versions put several kinds into one record; records without any exist too. */
function recordKind({ events }: DiagnosticsRecord): string {
  const [first] = events;
  if (!first) return 'none';
  return events.every(({ kind }) => kind === first.kind) ? first.kind : 'several';
}
