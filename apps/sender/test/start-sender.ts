import { Metrics } from '@ringdown/observability';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { defaultProfile } from '@ringdown/vendor-profile';
import { collectorAddress } from '@ringdown/feed-client';
import { RunningSender, type SenderOptions } from '../src/run/running-sender.js';
import { SenderMetrics } from '../src/run/sender-metrics.js';

interface TestedSenderOptions extends Partial<Omit<SenderOptions, 'metrics'>> {
  readonly metrics?: Metrics;
}

/** Starts a sender that receives HEP on a free port and sends to this collector, without pauses after outages. */
export function startSender(
  collectorUrl: string,
  { metrics = new Metrics(), ...more }: TestedSenderOptions = {},
): Promise<RunningSender> {
  return RunningSender.start({
    address: collectorAddress(collectorUrl, defaultProfile),
    profile: defaultProfile,
    frontEnd: 'fe1',
    resumeAfterMs: 0,
    queueLength: 1_000,
    hep: { host: '127.0.0.1', port: 0 },
    logger: quietLogger(),
    metrics: new SenderMetrics(metrics),
    ...more,
  });
}
