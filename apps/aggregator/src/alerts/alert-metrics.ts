import type { Metrics } from '@ringdown/observability';

/** By this replica, by another one at the same moment, or not at all. */
export type EvaluationOutcome = 'decided' | 'elsewhere' | 'failed';

/** The metrics of alerts. */
export class AlertMetrics {
  private readonly evaluations;

  constructor(metrics: Metrics) {
    this.evaluations = metrics.counter(
      'aggregator_alert_evaluations_total',
      'Evaluations of alert rules: decided here, by another replica at the same moment, or failed',
      ['outcome'],
    );
    for (const outcome of ['decided', 'elsewhere', 'failed'] as const) this.evaluations.inc({ outcome }, 0);
  }

  evaluated(outcome: EvaluationOutcome): void {
    this.evaluations.inc({ outcome });
  }
}
