import type { Metrics } from '@ringdown/observability';

/** The metrics of messages of calls. */
export class TraceMetrics {
  private readonly messages;
  private readonly rejected;
  private bytes = 0;

  constructor(metrics: Metrics) {
    this.messages = metrics.counter(
      'aggregator_trace_messages_total',
      'Messages of calls: stored, or duplicate when their batch had been stored before',
      ['outcome'],
    );
    this.rejected = metrics.counter(
      'aggregator_trace_batches_rejected_total',
      'Batches of messages of calls that could not be read or stored, and were deleted',
    );
    metrics.observedGauge(
      'aggregator_trace_bytes',
      'Size of the stored messages of calls, by the last check',
      () => this.bytes,
    );
    for (const outcome of ['stored', 'duplicate'] as const) this.messages.inc({ outcome }, 0);
  }

  stored(added: number, duplicates: number): void {
    this.messages.inc({ outcome: 'stored' }, added);
    this.messages.inc({ outcome: 'duplicate' }, duplicates);
  }

  unreadable(): void {
    this.rejected.inc();
  }

  setBytes(bytes: number): void {
    this.bytes = bytes;
  }
}
