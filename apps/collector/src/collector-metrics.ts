import type { Metrics } from '@ringdown/observability';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import type { RefusalCode } from './refusal.js';

/** What operators see of the feed's door. No name of a front end, user or path becomes a label: callers choose those. */
export class CollectorMetrics {
  private readonly records;
  private readonly refused;
  private readonly unavailable;
  private readonly notKept;
  private readonly probes;
  private readonly configurations;
  private readonly droppedConnections;
  private readonly handshakes;
  private readonly storing;

  constructor(metrics: Metrics) {
    this.records = metrics.counter('collector_records_total', 'Records stored and answered with 200', ['kind']);
    this.refused = metrics.counter('collector_refused_total', 'Requests refused, by code', ['code']);
    this.unavailable = metrics.counter('collector_unavailable_total', 'Records answered with 503, lost if not resent');
    this.notKept = metrics.counter('collector_rejected_not_kept_total', 'Refused bodies that could not be kept');
    this.probes = metrics.counter('collector_probes_total', 'Empty requests answered with 200');
    this.configurations = metrics.counter('collector_configurations_total', 'Requests for the configuration answered');
    this.droppedConnections = metrics.counter('collector_connections_dropped_total', 'Connections over the limit');
    this.handshakes = metrics.counter('collector_tls_failures_total', 'TLS handshakes that failed');
    this.storing = metrics.seconds('collector_publish_seconds', 'Time until a record is stored');
  }

  stored(record: DiagnosticsRecord, seconds: number): void {
    this.records.inc({ kind: kindOf(record) });
    this.storing.observe(seconds);
  }

  refuse(code: RefusalCode): void {
    this.refused.inc({ code });
  }

  lost(): void {
    this.unavailable.inc();
  }

  bodyNotKept(): void {
    this.notKept.inc();
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

  connectionDropped(): void {
    this.droppedConnections.inc();
  }
}

/** Later versions put several kinds into one record; records with none are real too. */
function kindOf({ events }: DiagnosticsRecord): string {
  const [first] = events;
  if (!first) return 'none';
  return events.every(({ kind }) => kind === first.kind) ? first.kind : 'several';
}
