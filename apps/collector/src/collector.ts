import { ensureFeedStreams, RecordPublisher, RejectedRecords } from '@ringdown/bus';
import type { Running, Service, ServiceContext } from '@ringdown/service';
import { SettingsError, type SettingValues } from '@ringdown/settings';
import { CollectorMetrics } from './collector-metrics.js';
import { FeedInlet } from './feed-inlet.js';
import { openFeedListener, type FeedListener } from './feed-listener.js';
import { FeedTls } from './feed-tls.js';
import { RejectedKeeper } from './rejected-keeper.js';
import { collectorSettings } from './settings.js';

type Settings = SettingValues<typeof collectorSettings>;

/** Ingress of the diagnostics feed: reads records, stores them on the bus, answers, and nothing else. */
export const collector: Service<typeof collectorSettings> = {
  name: 'collector',
  fields: collectorSettings,
  start,
};

async function start(settings: Settings, { bus, logger, metrics: allMetrics }: ServiceContext): Promise<Running> {
  await ensureFeedStreams(bus, settings);
  const metrics = new CollectorMetrics(allMetrics);
  const publisher = new RecordPublisher({ bus, deadlineMs: settings.storeMs });
  const keeper = new RejectedKeeper({ rejected: new RejectedRecords(bus), metrics, logger });
  const inlet = new FeedInlet({ publisher, profile: settings.vendorProfile, metrics, logger });
  const options = { settings, inlet, publisher, keeper, metrics, logger };
  const { plainHttp, collectorPort, httpsPort } = settings;
  if (plainHttp === 'off' && httpsPort === undefined) {
    throw new SettingsError(['COLLECTOR_PLAIN_HTTP is off, which leaves nothing without COLLECTOR_HTTPS_PORT']);
  }
  const tls = httpsPort === undefined ? undefined : new FeedTls(settings, logger);
  const listeners: FeedListener[] = [];
  const close = async (): Promise<void> => {
    tls?.close();
    await Promise.all(listeners.map((listener) => listener.close()));
  };
  try {
    if (plainHttp === 'on') listeners.push(await openFeedListener(options, collectorPort));
    if (httpsPort !== undefined) listeners.push(await openFeedListener(options, httpsPort, tls));
  } catch (error) {
    await close();
    throw error;
  }
  return { address: listeners.map(({ address }) => address).join(' and '), close };
}
