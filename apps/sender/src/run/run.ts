import { createLogger, Health, Metrics, startInnerServer } from '@ringdown/observability';
import { misspelledSettings, readSettings, SettingsError, type SettingValues } from '@ringdown/settings';
import { once } from 'node:events';
import { collectorAccess } from '@ringdown/feed-client/settings';
import { addressArgument } from '@ringdown/feed-client/command';
import { LogFolderError } from '../logs/log-files.js';
import { hidingOption } from './hiding.js';
import { tracingOption } from './tracing.js';
import { RunningSender, type SenderOptions } from './running-sender.js';
import { runSettings } from './run-settings.js';
import { SenderMetrics } from './sender-metrics.js';
import { SenderTls } from './sender-tls.js';

type Settings = SettingValues<typeof runSettings>;

/** `ringdown-sender run`: runs until a signal arrives. `to` overrides the setting. */
export async function run(to: string | undefined): Promise<number> {
  const names = Object.values(runSettings).map(({ env }) => env);
  const misspelled = misspelledSettings(names, process.env);
  if (misspelled.length > 0) throw new SettingsError(misspelled);
  const settings = readSettings(runSettings, process.env);
  const logger = createLogger('sender', settings);
  const tls = new SenderTls(settings, logger);
  const [metrics, health] = [new Metrics(), new Health()];
  const options: SenderOptions = {
    ...senderOptions(settings, to ?? settings.submitUri, tls),
    logger,
    metrics: new SenderMetrics(metrics),
  };
  const inner = await startInnerServer(settings, { metrics, health });
  try {
    const sender = await started(options);
    const { port, tlsPort } = sender;
    logger.info(
      { frontEnd: settings.frontEnd, port, tlsPort, collector: options.address.records.href },
      'listening for HEP',
    );
    const signal = await Promise.race(['SIGINT', 'SIGTERM'].map(async (name) => (await once(process, name), name)));
    logger.info({ signal }, 'stopping');
    health.startDraining();
    await sender.stop();
  } finally {
    tls.close();
    inner.close();
    inner.closeAllConnections();
  }
  return 0;
}

async function started(options: SenderOptions): Promise<RunningSender> {
  try {
    return await RunningSender.start(options);
  } catch (error) {
    if (error instanceof LogFolderError) throw new SettingsError([`LOG_FOLDER: ${error.message}`]);
    throw error;
  }
}

function senderOptions(settings: Settings, to: string, tls: SenderTls): Omit<SenderOptions, 'logger' | 'metrics'> {
  const { logFolder: folder, logKeepDays: keepDays, alternativeUri } = settings;
  return {
    ...collectorAccess(settings, tls.collector),
    address: addressArgument(to, settings.vendorProfile),
    ...(alternativeUri === undefined ? {} : { alternative: addressArgument(alternativeUri, settings.vendorProfile) }),
    persistence: {
      maxRetry: settings.maxRetry,
      maxDelayLimit: settings.maxDelayLimit,
      maxBackoffMs: settings.maxBackoffSeconds * 1_000,
      maxRetryBeforeFailover: settings.maxRetryBeforeFailover,
    },
    profile: settings.vendorProfile,
    frontEnd: settings.frontEnd,
    version: settings.outputSchema,
    resumeAfterMs: settings.resumeAfterSeconds * 1_000,
    queueLength: settings.submitQueueLength,
    ...tracingOption(settings),
    hep: hepOf(settings, tls),
    limits: {
      inviteTimeoutMs: settings.inviteTimeoutSeconds * 1_000,
      callTimeoutMs: settings.callTimeoutSeconds * 1_000,
      qualityWaitMs: settings.qualityWaitSeconds * 1_000,
      inCallPeriodMs: settings.inCallQualitySeconds * 1_000,
      calls: settings.maxCalls,
    },
    legHeaders: settings.legHeaders,
    callIdForm: settings.callIdForm,
    failureLogMs: settings.failureLogSeconds * 1_000,
    failureReportMs: settings.failureReportSeconds * 1_000,
    ...hidingOption(settings),
    ...(folder === undefined ? {} : { logs: { folder, ...(keepDays === undefined ? {} : { keepDays }) } }),
  };
}

function hepOf(settings: Settings, { hep: pair }: SenderTls): SenderOptions['hep'] {
  const { hepHost: host, hepPort: port, hepTlsPort, hepPassword: password } = settings;
  return {
    host,
    port,
    ...(password === undefined ? {} : { password }),
    ...(pair && hepTlsPort !== undefined ? { tls: { port: hepTlsPort, pair } } : {}),
  };
}
