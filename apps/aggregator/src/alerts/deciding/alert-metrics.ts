import type { Metrics } from '@ringdown/observability';

/** By this replica, by another one at the same moment, or not at all. */
export type EvaluationOutcome = 'decided' | 'elsewhere' | 'failed';

/** The metrics of alerts. */
export class AlertMetrics {
  private readonly evaluations;
  private readonly notices;

  constructor(metrics: Metrics) {
    this.evaluations = metrics.counter(
      'aggregator_alert_evaluations_total',
      'Evaluations of alert rules: decided here, by another replica at the same moment, or failed',
      ['outcome'],
    );
    this.notices = metrics.counter(
      'aggregator_alert_notices_total',
      'Attempts to deliver notices of alerts: delivered or failed; and notices that are not tried again',
      ['outcome'],
    );
    for (const outcome of ['delivered', 'failed', 'given_up'] as const) this.notices.inc({ outcome }, 0);
    for (const outcome of ['decided', 'elsewhere', 'failed'] as const) this.evaluations.inc({ outcome }, 0);
  }

  evaluated(outcome: EvaluationOutcome): void {
    this.evaluations.inc({ outcome });
  }

  noticed(outcome: 'delivered' | 'failed' | 'given_up', count: number): void {
    this.notices.inc({ outcome }, count);
  }
}
