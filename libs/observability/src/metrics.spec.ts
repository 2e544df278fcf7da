import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from './metrics.js';

const BLOCKED_MS = 300;

describe('the metrics of a process', () => {
  async function longestDelay(metrics: Metrics): Promise<number> {
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await metrics.registry.metrics())?.[1]);
  }

  it('show for how long the event loop stood still since they were last read', async () => {
    const metrics = new Metrics();
    await metrics.registry.metrics();
    // After a reading, the measuring begins with the next tick of its timer.
    await sleep(100);
    const until = performance.now() + BLOCKED_MS;
    while (performance.now() < until);
    await sleep(100);
    expect(await longestDelay(metrics)).toBeGreaterThanOrEqual((BLOCKED_MS - 50) / 1_000);
    // Then it is over: a machine that is busy may stand still a few times more.
    while ((await longestDelay(metrics)) >= (BLOCKED_MS - 50) / 1_000) await sleep(100);
  });
});
