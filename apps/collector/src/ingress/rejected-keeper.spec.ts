import { createLogger, Metrics } from '@ringdown/observability';
import type { RejectedRecord } from '@ringdown/contracts';
import { CollectorMetrics } from './collector-metrics.js';
import { FeedRefusal } from './feed-refusal.js';
import { RejectedKeeper } from './rejected-keeper.js';

describe('the keeper of rejected bodies', () => {
  it('keeps some hundred bodies of a flood: the bus stays usable and older entries remain', async () => {
    const kept: RejectedRecord[] = [];
    const metrics = new Metrics();
    const keeper = new RejectedKeeper({
      rejected: { store: async (rejected) => void kept.push(rejected) },
      metrics: new CollectorMetrics(metrics),
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
    });
    const began = performance.now();
    for (let i = 0; i < 5_000; i++) {
      keeper.keep(
        { receivedAt: i, remoteAddress: '192.0.2.1', path: '/', body: Buffer.from('x') },
        new FeedRefusal('not-xml'),
      );
      if (i % 10 === 0) await keeper.idle();
    }
    await keeper.idle();
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    expect(kept.length).toBeGreaterThanOrEqual(200);
    expect(kept.length).toBeLessThanOrEqual(200 + 20 * seconds);
    const text = await metrics.registry.getSingleMetricAsString('ringdown_collector_rejected_not_kept_total');
    expect(text).toContain(`ringdown_collector_rejected_not_kept_total ${5_000 - kept.length}`);
  });
});
