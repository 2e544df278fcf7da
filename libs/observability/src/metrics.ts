import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { measureEventLoopLag, REPLACED_LOOKS } from './event-loop-lag.js';

/** Bucket bounds in seconds for everything that is measured, from a parse to a slow query. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The metrics of one process. Names start with `ringdown_`; labels never contain ids, URIs or other values from a
 * client; except addresses of SIP peers in the metrics of a sender, of which there is a bounded number.
 */
export class Metrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry, ...REPLACED_LOOKS });
    measureEventLoopLag(this.registry);
  }

  counter<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ name: `ringdown_${name}`, help, labelNames, registers: [this.registry] });
  }

  /** A counter that is kept elsewhere, with one label, because counting here takes a microsecond each time. */
  observedCounter<L extends string>(
    name: string,
    help: string,
    label: L,
    read: () => Readonly<Record<string, number>>,
  ): Counter<L> {
    return new Counter<L>({
      name: `ringdown_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect(): void {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.labels(value).inc(count);
      },
    });
  }

  gauge<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> {
    return new Gauge({ name: `ringdown_${name}`, help, labelNames, registers: [this.registry] });
  }

  /** The sum of a counter or gauge over all labels that match `where`. Rejects when no metric has the name. */
  async total(name: string, where: Readonly<Record<string, string>> = {}): Promise<number> {
    const metric = this.registry.getSingleMetric(`ringdown_${name}`);
    if (metric === undefined) throw new Error(`unknown metric: ${name}`);
    const { values } = await metric.get();
    const fits = (labels: Readonly<Partial<Record<string, string | number>>>): boolean =>
      Object.entries(where).every(([label, value]) => labels[label] === value);
    return values.reduce((sum, { labels, value }) => (fits(labels) ? sum + value : sum), 0);
  }

  /** A gauge whose value is computed when the metrics are read, so that it cannot drift. */
  observedGauge(name: string, help: string, read: () => number | Promise<number>): Gauge {
    return new Gauge({
      name: `ringdown_${name}`,
      help,
      registers: [this.registry],
      async collect(): Promise<void> {
        this.set(await read());
      },
    });
  }

  /** The same with one label. */
  observedGauges<L extends string>(
    name: string,
    help: string,
    label: L,
    read: () => Readonly<Record<string, number>>,
  ): Gauge<L> {
    return new Gauge<L>({
      name: `ringdown_${name}`,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect(): void {
        this.reset();
        for (const [value, count] of Object.entries(read())) this.labels(value).set(count);
      },
    });
  }

  seconds<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Histogram<L> {
    return new Histogram({ name: `ringdown_${name}`, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }
}
