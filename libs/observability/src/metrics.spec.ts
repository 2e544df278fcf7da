import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from './metrics.js';

const BLOCKED_MS = 400;
/** The loop is looked at ten times a second. */
const LEAST_SECONDS = (BLOCKED_MS - 150) / 1_000;

describe('the metrics of a process', () => {
  async function longestDelay(metrics: Metrics): Promise<number> {
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await metrics.registry.metrics())?.[1]);
  }

  it('report the longest delay of the event loop since they were last read', async () => {
    const metrics = new Metrics();
    await metrics.registry.metrics();
    // After a read, the measurement starts with the next tick of its timer.
    await sleep(200);
    const until = performance.now() + BLOCKED_MS;
    while (performance.now() < until);
    await sleep(200);
    expect(await longestDelay(metrics)).toBeGreaterThanOrEqual(LEAST_SECONDS);
    // Then the delay is over: a busy machine may delay the loop a few more times.
    while ((await longestDelay(metrics)) >= LEAST_SECONDS) await sleep(200);
  });

  it('report no delay of a loop that was not blocked', async () => {
    const metrics = new Metrics();
    await sleep(500);
    const [, shortest] = /^nodejs_eventloop_lag_min_seconds (\S+)/m.exec(await metrics.registry.metrics()) ?? [];
    // Not the time between two looks.
    expect(Number(shortest)).toBeLessThan(0.005);
  });
});
