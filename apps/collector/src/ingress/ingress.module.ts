import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  KnownFrontEnds,
  RecordPublisher,
  RejectedRecords,
  SipFailurePublisher,
  StreamBundleOffer,
  TracePublisher,
} from '@ringdown/feed-bus';
import { ensureFeedStreams, ensureSipFailuresStream, ensureTracesStream } from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { provideClass, serviceProviders } from '@ringdown/service';
import { SETTINGS, type Settings } from '../settings.js';
import { AnswerCounts } from './answer-counts.js';
import { AnswerCountsController } from './answer-counts.controller.js';
import { BatchInlet } from './batch-inlet.js';
import { CollectorMetrics } from './collector-metrics.js';
import { FeedInlet } from './feed-inlet.js';
import { FeedListeners } from './feed-listeners.js';
import { FollowedRules } from './followed-rules.js';
import { FrontEndAdmission } from './front-end-admission.js';
import { RejectedBodies } from './rejected-bodies.js';
import { SipFailureInlet } from './sip-failure-inlet.js';
import { TraceInlet } from './trace-inlet.js';
import { UploadTickets } from './upload-tickets.js';

/** The feed's ingress: from a POST to a record on the bus and the reply. Per record, no code of Nest runs. */
@Module({
  controllers: [AnswerCountsController],
  providers: [
    ...serviceProviders('collector', SETTINGS),
    AnswerCounts,
    { provide: CollectorMetrics, inject: [Metrics], useFactory: (metrics: Metrics) => new CollectorMetrics(metrics) },
    {
      provide: FollowedRules,
      inject: [SETTINGS, LOGGER],
      useFactory: (s: Settings, l: Logger) => new FollowedRules(s, l),
    },
    { provide: StreamBundleOffer, inject: [Bus], useFactory: (bus: Bus) => new StreamBundleOffer(bus) },
    {
      provide: RecordPublisher,
      inject: [Bus, SETTINGS, CollectorMetrics, StreamBundleOffer],
      useFactory: openPublisher,
    },
    { provide: KnownFrontEnds, inject: [Bus, SETTINGS, CollectorMetrics, LOGGER], useFactory: openFrontEnds },
    { provide: RejectedBodies, inject: [Bus, CollectorMetrics, LOGGER], useFactory: rejectedBodiesOn },
    {
      provide: FrontEndAdmission,
      inject: [KnownFrontEnds, FollowedRules],
      useFactory: (frontEnds: KnownFrontEnds, rules: FollowedRules) =>
        new FrontEndAdmission({ frontEnds, rights: () => rules.rights }),
    },
    { provide: TracePublisher, inject: [Bus], useFactory: openTracePublisher },
    provideClass(TraceInlet, {
      publisher: TracePublisher,
      admission: FrontEndAdmission,
      metrics: CollectorMetrics,
      logger: LOGGER,
    }),
    { provide: SipFailurePublisher, inject: [Bus], useFactory: openSipFailurePublisher },
    provideClass(SipFailureInlet, {
      publisher: SipFailurePublisher,
      admission: FrontEndAdmission,
      metrics: CollectorMetrics,
      logger: LOGGER,
    }),
    {
      provide: FeedInlet,
      inject: [SETTINGS, RecordPublisher, CollectorMetrics, LOGGER, AnswerCounts, FollowedRules, FrontEndAdmission],
      useFactory: inletOf,
    },
    provideClass(BatchInlet, {
      inlet: FeedInlet,
      rejectedBodies: RejectedBodies,
      metrics: CollectorMetrics,
      logger: LOGGER,
    }),
    provideClass(UploadTickets, { bus: Bus, logger: LOGGER }),
    provideClass(FeedListeners, {
      settings: SETTINGS,
      inlet: FeedInlet,
      batchInlet: BatchInlet,
      traceInlet: TraceInlet,
      sipFailureInlet: SipFailureInlet,
      uploadTickets: UploadTickets,
      rejectedBodies: RejectedBodies,
      metrics: CollectorMetrics,
      logger: LOGGER,
    }),
  ],
  exports: [Bus, RecordPublisher, FeedListeners],
})
export class IngressModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly listeners: FeedListeners,
    private readonly rules: FollowedRules,
    private readonly frontEnds: KnownFrontEnds,
    private readonly publisher: RecordPublisher,
    private readonly rejectedBodies: RejectedBodies,
    private readonly bundles: StreamBundleOffer,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.listeners.open();
    this.frontEnds.follow();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.rules.close();
    await this.frontEnds.close();
    await this.listeners.close();
    // Requests in progress have been replied to.
    await this.publisher.idle();
    this.bundles.close();
    await this.rejectedBodies.idle();
  }
}

async function openPublisher(
  bus: Bus,
  settings: Settings,
  metrics: CollectorMetrics,
  bundles: StreamBundleOffer,
): Promise<RecordPublisher> {
  await ensureFeedStreams(bus, settings, 'user');
  await bundles.follow();
  const publisher = new RecordPublisher({ bus, deadlineMs: settings.storeMs, observer: metrics, bundles });
  metrics.watch(publisher);
  return publisher;
}

async function openTracePublisher(bus: Bus): Promise<TracePublisher> {
  await ensureTracesStream(bus, 'user');
  return new TracePublisher({ bus });
}

async function openSipFailurePublisher(bus: Bus): Promise<SipFailurePublisher> {
  await ensureSipFailuresStream(bus, 'user');
  return new SipFailurePublisher({ bus });
}

async function openFrontEnds(
  bus: Bus,
  { maxFrontEnds }: Settings,
  metrics: CollectorMetrics,
  logger: Logger,
): Promise<KnownFrontEnds> {
  const frontEnds = await KnownFrontEnds.open({ bus, logger, most: maxFrontEnds });
  metrics.watchFrontEnds(frontEnds, maxFrontEnds);
  return frontEnds;
}

function rejectedBodiesOn(bus: Bus, metrics: CollectorMetrics, logger: Logger): RejectedBodies {
  return new RejectedBodies({ rejected: new RejectedRecords(bus), metrics, logger });
}

function inletOf(
  { vendorProfile: profile, maxBodyBytes }: Settings,
  publisher: RecordPublisher,
  metrics: CollectorMetrics,
  logger: Logger,
  counts: AnswerCounts,
  rules: FollowedRules,
  admission: FrontEndAdmission,
): FeedInlet {
  const parameters = (): FollowedRules['parameters'] => rules.parameters;
  return new FeedInlet({ publisher, profile, maxBodyBytes, metrics, logger, counts, admission, parameters });
}
