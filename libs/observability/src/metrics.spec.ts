import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from './metrics.js';

const BLOCKED_MS = 300;

describe('the metrics of a process', () => {
  async function longestDelay(metrics: Metrics): Promise<number> {
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await metrics.registry.metrics())?.[1]);
  }

  it('report the longest delay of the event loop since they were last read', async () => {
    const metrics = new Metrics();
    await metrics.registry.metrics();
    // After a read, the measurement starts with the next tick of its timer.
    await sleep(100);
    const until = performance.now() + BLOCKED_MS;
    while (performance.now() < until);
    await sleep(100);
    expect(await longestDelay(metrics)).toBeGreaterThanOrEqual((BLOCKED_MS - 50) / 1_000);
    // Then the delay is over: a busy machine may delay the loop a few more times.
    while ((await longestDelay(metrics)) >= (BLOCKED_MS - 50) / 1_000) await sleep(100);
  });
});
