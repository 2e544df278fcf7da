import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

type Lags = ReturnType<typeof monitorEventLoopDelay>;

/** Each look at the loop wakes the process: one in 10 ms, prom-client's default, takes 6 ms of processor time a second, one in 100 ms takes 1 ms. */
const LOOK_MS = 100;
/** For prom-client's own looks: its values are replaced. */
const NEVER_MS = 2 ** 31 - 1;

/** For prom-client's default metrics. */
export const REPLACED_LOOKS = { eventLoopMonitoringPrecision: NEVER_MS };

/** Nanoseconds; the recorded values include the time between two looks. */
const MEASURES: Readonly<Record<string, (lags: Lags) => number>> = {
  min: ({ min }) => min - LOOK_MS * 1e6,
  max: ({ max }) => max - LOOK_MS * 1e6,
  mean: ({ mean }) => mean - LOOK_MS * 1e6,
  stddev: ({ stddev }) => stddev,
  p50: (lags) => lags.percentile(50) - LOOK_MS * 1e6,
  p90: (lags) => lags.percentile(90) - LOOK_MS * 1e6,
  p99: (lags) => lags.percentile(99) - LOOK_MS * 1e6,
};

/**
 * For how long the loop was blocked since the metrics were last read, under prom-client's names. A block is reported as up to
 * 0.1 s shorter than it was.
 */
export function measureEventLoopLag(registry: Registry): void {
  const lags = monitorEventLoopDelay({ resolution: LOOK_MS });
  lags.enable();
  const gauges = new Map<Gauge, (lags: Lags) => number>();
  const setAll = (): void => {
    // Nothing is recorded yet when they are read twice in a short time.
    for (const [gauge, nanoseconds] of gauges) gauge.set(lags.count === 0 ? 0 : Math.max(0, nanoseconds(lags) / 1e9));
    lags.reset();
  };
  for (const [measure, nanoseconds] of Object.entries(MEASURES)) {
    const name = `nodejs_eventloop_lag_${measure}_seconds`;
    registry.removeSingleMetric(name);
    const help = `Delay of the event loop since the last reading: ${measure}.`;
    // The first one that is read sets all of them: they are read in the order in which they were made.
    const collect = gauges.size === 0 ? { collect: setAll } : {};
    gauges.set(new Gauge({ name, help, registers: [registry], ...collect }), nanoseconds);
  }
}
