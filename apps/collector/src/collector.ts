import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ensureFeedStreams, RecordPublisher, RejectedRecords } from '@ringdown/bus';
import { answerUnreadable, closeConnectionsAtStop, listen } from '@ringdown/http-server';
import { nestLogger } from '@ringdown/observability';
import type { Running, Service, ServiceContext } from '@ringdown/service';
import type { SettingValues } from '@ringdown/settings';
import { randomUUID } from 'node:crypto';
import { CollectorMetrics } from './collector-metrics.js';
import { CollectorModule } from './collector.module.js';
import { FeedInlet } from './feed-inlet.js';
import { FEED_PATH, FeedRoutes } from './feed-routes.js';
import { ProxyLines } from './proxy-lines.js';
import { FEED_TYPE, Refusal } from './refusal.js';
import { RejectedKeeper } from './rejected-keeper.js';
import { collectorSettings } from './settings.js';

type Settings = SettingValues<typeof collectorSettings>;

/** Ingress of the diagnostics feed: reads records, stores them on the bus, answers, and nothing else. */
export const collector: Service<typeof collectorSettings> = {
  name: 'collector',
  fields: collectorSettings,
  start,
};

async function start(settings: Settings, { bus, logger, metrics }: ServiceContext): Promise<Running> {
  await ensureFeedStreams(bus, settings);
  const collectorMetrics = new CollectorMetrics(metrics);
  const publisher = new RecordPublisher({ bus, deadlineMs: settings.storeMs });
  const keeper = new RejectedKeeper({ rejected: new RejectedRecords(bus), metrics: collectorMetrics, logger });
  const requestMs = settings.requestSeconds * 1_000;
  const proxyLines = settings.proxyProtocol === 'on' ? new ProxyLines(requestMs) : undefined;
  const routes = new FeedRoutes({
    inlet: new FeedInlet({ publisher, profile: settings.vendorProfile, metrics: collectorMetrics, logger }),
    keeper,
    metrics: collectorMetrics,
    logger,
    maxBodyBytes: settings.maxBodyBytes,
    origin: settings.collectorOrigin,
    addressOf: (socket) => proxyLines?.addressOf(socket),
  });
  const module = CollectorModule.register({ routes, publisher, keeper });
  const adapter = fastifyAdapter(settings, requestMs, collectorMetrics);
  const fastify = adapter.getInstance();
  proxyLines?.follow(fastify.server);
  closeConnectionsAtStop(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: nestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  await app.init();
  const server = app.getHttpServer();
  server.maxConnections = settings.maxConnections;
  const port = await listen(app, settings.collectorPort, settings.collectorHost);
  return { address: `http://${settings.collectorHost}:${port}`, close: () => app.close() };
}

/** Between a request that never ends and the moment that is noticed; Node's own half a minute is long for short limits. */
const CHECK_CONNECTIONS_MS = 1_000;
/** A front end that lost its power is noticed by TCP, long before the idle time is over. */
const TCP_KEEP_ALIVE_MS = 60_000;

/** Front ends keep one connection for days and may be silent for minutes, but say quickly what they say. */
function fastifyAdapter(settings: Settings, requestTimeout: number, metrics: CollectorMetrics): FastifyAdapter {
  return new FastifyAdapter({
    logger: false,
    genReqId: () => randomUUID(),
    rewriteUrl: () => FEED_PATH,
    clientErrorHandler: answerUnreadable((code) => {
      metrics.refuse(code);
      const { status, body } = new Refusal(code).answer();
      return { status, contentType: FEED_TYPE, body };
    }),
    requestTimeout,
    keepAliveTimeout: settings.idleSeconds * 1_000,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    // A record that comes while we stop would be gone if it were refused, and nothing is in the way of storing it.
    return503OnClosing: false,
    http: {
      headersTimeout: Math.ceil((requestTimeout * 2) / 3),
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    },
  });
}
