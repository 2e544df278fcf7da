import { createLogger, Metrics } from '@ringdown/observability';
import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import { CollectorMetrics } from './collector-metrics.js';
import { FeedRefusal } from './feed-refusal.js';
import { RejectedBodies } from './rejected-bodies.js';

describe('the store of rejected bodies', () => {
  it('stores some hundred bodies of a flood: the bus stays usable and older entries remain', async () => {
    const stored: RejectedRecord[] = [];
    const metrics = new Metrics();
    const rejectedBodies = new RejectedBodies({
      rejected: { store: async (rejected) => void stored.push(rejected) },
      metrics: new CollectorMetrics(metrics),
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
    });
    const began = performance.now();
    for (let i = 0; i < 5_000; i++) {
      rejectedBodies.store(
        { receivedAt: i, remoteAddress: '192.0.2.1', path: '/', body: Buffer.from('x') },
        new FeedRefusal('not-xml'),
      );
      if (i % 10 === 0) await rejectedBodies.idle();
    }
    await rejectedBodies.idle();
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    expect(stored.length).toBeGreaterThanOrEqual(200);
    expect(stored.length).toBeLessThanOrEqual(200 + 20 * seconds);
    const text = await metrics.registry.getSingleMetricAsString('ringdown_collector_rejected_not_kept_total');
    expect(text).toContain(`ringdown_collector_rejected_not_kept_total ${5_000 - stored.length}`);
  });
});
