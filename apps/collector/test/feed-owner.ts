import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { KnownFrontEnds } from '@ringdown/feed-bus';
import {
  ensureFeedStreams,
  ensureSipFailuresStream,
  ensureTracesStream,
  streamSettings,
} from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { ServiceReports } from '@ringdown/service';
import { readSettings } from '@ringdown/settings';
import { quietLogger } from '@ringdown/testing/quiet-logger';

/** What an aggregator does at its start: a collector cannot create streams. `url`: with all permissions on the feed. */
export async function makeFeedStreams(url: string, replicas?: number): Promise<void> {
  const bus = await Bus.connect({ url, name: 'owner', logger: quietLogger(), limits: bucketLimits(), replicas });
  try {
    await ensureFeedStreams(bus, readSettings(streamSettings, {}));
    await ensureTracesStream(bus);
    await ensureSipFailuresStream(bus);
    await KnownFrontEnds.ensureBucket(bus);
    await ServiceReports.ensureBucket(bus);
  } finally {
    await bus.close();
  }
}
