import { ensureFeedStreams, reasonOf, RecordPublisher, RejectedRecords, tellFrontEndAnswers } from '@ringdown/bus';
import { announce, type Running, type Service, type ServiceContext } from '@ringdown/service';
import { FollowedFiles, SettingsError, type SettingValues } from '@ringdown/settings';
import { AnswerCounts } from './answer-counts.js';
import { CollectorMetrics } from './collector-metrics.js';
import { FeedInlet } from './feed-inlet.js';
import { openFeedListener, type FeedListener } from './feed-listener.js';
import { FeedTls } from './feed-tls.js';
import { FrontEndParameters } from './front-end-parameters.js';
import { RejectedKeeper } from './rejected-keeper.js';
import { collectorSettings } from './settings.js';

type Settings = SettingValues<typeof collectorSettings>;

/** Ingress of the diagnostics feed: reads records, stores them on the bus, answers, and nothing else. */
export const collector: Service<typeof collectorSettings> = {
  name: 'collector',
  fields: collectorSettings,
  start,
};

/** What operators see of each collector. */
const COUNTS = {
  accepted: { metric: 'collector_records_total' },
  rejected: { metric: 'collector_refused_total' },
  unavailable: { metric: 'collector_unavailable_total' },
};

async function start(settings: Settings, context: ServiceContext): Promise<Running> {
  const { plainHttp, collectorPort, httpsPort } = settings;
  if (plainHttp === 'off' && httpsPort === undefined) {
    throw new SettingsError(['COLLECTOR_PLAIN_HTTP is off, which leaves nothing without COLLECTOR_HTTPS_PORT']);
  }
  const { bus, logger, metrics: allMetrics } = context;
  await ensureFeedStreams(bus, settings);
  const metrics = new CollectorMetrics(allMetrics);
  const publisher = new RecordPublisher({ bus, deadlineMs: settings.storeMs, observer: metrics });
  const keeper = new RejectedKeeper({ rejected: new RejectedRecords(bus), metrics, logger });
  const followed = followConfiguration(settings, logger);
  const counts = new AnswerCounts();
  const tls = httpsPort === undefined ? undefined : new FeedTls(settings, logger);
  metrics.watch(publisher);
  const inlet = new FeedInlet({
    publisher,
    profile: settings.vendorProfile,
    metrics,
    logger,
    counts,
    wanted: () => followed?.current ?? FrontEndParameters.none,
  });
  const options = { settings, inlet, keeper, metrics, logger };
  const listeners: FeedListener[] = [];
  const close = async (): Promise<void> => {
    tls?.close();
    followed?.close();
    await Promise.all(listeners.map((listener) => listener.close()));
    // What was in flight has its answer.
    await publisher.idle();
    await keeper.idle();
  };
  try {
    if (plainHttp === 'on') listeners.push(await openFeedListener(options, collectorPort));
    if (httpsPort !== undefined) listeners.push(await openFeedListener(options, httpsPort, tls));
  } catch (error) {
    await close();
    throw error;
  }
  const replica = announce(context, { service: 'collector', counts: COUNTS });
  tellFrontEndAnswers(bus, replica, (frontEnd) => counts.of(frontEnd));
  return { address: listeners.map(({ address }) => address).join(' and '), close };
}

/** Throws an Error in one line when there is a file and it is wrong. */
function followConfiguration(
  { configurationFile: file }: Settings,
  logger: ServiceContext['logger'],
): FollowedFiles<FrontEndParameters> | undefined {
  if (file === undefined) return undefined;
  const read = (): FrontEndParameters => {
    try {
      return FrontEndParameters.read(file);
    } catch (error) {
      throw new Error(`COLLECTOR_CONFIGURATION ${reasonOf(error)}`, { cause: error });
    }
  };
  return new FollowedFiles({ files: [file], read, logger });
}
