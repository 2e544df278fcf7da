import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Bucket bounds in seconds that suit everything we time, from a parse to a slow query. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of one process. Names start with `ringdown_`; labels never hold ids, URIs or anything a caller chooses. */
export class Metrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name: `ringdown_${name}`, help, labelNames, registers: [this.registry] });
  }

  gauge<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ name: `ringdown_${name}`, help, labelNames, registers: [this.registry] });
  }

  /** A gauge whose value is asked for when somebody reads the metrics, so that it cannot drift. */
  observedGauge(name: string, help: string, read: () => number): Gauge {
    return new Gauge({
      name: `ringdown_${name}`,
      help,
      registers: [this.registry],
      collect(): void {
        this.set(read());
      },
    });
  }

  seconds<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({ name: `ringdown_${name}`, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }
}
