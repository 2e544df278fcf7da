import { aggregator } from '@ringdown/aggregator';
import { applicationPeople } from '@ringdown/application-people';
import { splitUrl } from '@ringdown/bus';
import { collector } from '@ringdown/collector';
import { discoveryAuth } from '@ringdown/discovery-auth';
import { createListener, listen, listenPlain, publicOriginSettings, type WebPart } from '@ringdown/http-server';
import { createLogger, logSettings } from '@ringdown/observability';
import { contextSettings, openContext, type Program, type ServiceContext } from '@ringdown/service';
import {
  misspelledSettings,
  readSettingGroups,
  readSettings,
  SettingsError,
  type Environment,
  type SettingFields,
  type SettingValues,
} from '@ringdown/settings';
import { subscribers } from '@ringdown/subscribers';
import { existsSync } from 'node:fs';
import { certificate, madeFiles } from './certificate.js';
import { serveConsole } from './console.js';
import { DataFolder } from './data-folder.js';
import { assertPortsFree } from './ports.js';
import { startServers, type Servers } from './servers.js';
import { ringdownSettings } from './settings.js';
import { welcome } from './welcome.js';

const services = {
  discoveryAuth: discoveryAuth.fields,
  applicationPeople: applicationPeople.fields,
  aggregator: aggregator.fields,
  collector: collector.fields,
  subscribers: subscribers.fields,
};

/** What stands in for a setting that a service needs and the operator left out. */
const defaults = { LOG_FORMAT: 'pretty', LOG_LEVEL: 'warn' };

/** Starts every service in this process, in the order of their needs; closes what was opened when one fails. */
export async function startRingdown(operatorEnv: Environment): Promise<Program> {
  const env = { ...defaults, ...withoutBlanks(operatorEnv) };
  const settings = readOwnSettings(env);
  const logger = createLogger('ringdown', readSettings(logSettings, env));
  const data = DataFolder.open(settings.dataDir);
  const opened: (() => Promise<void>)[] = [async () => data.release()];
  const close = async (): Promise<void> => {
    for (const part of opened.splice(0).toReversed()) await part();
  };
  try {
    const collectorSettings = readSettings(collector.fields, env);
    const { port: PORT, httpPort: HTTP_PORT, listenHost } = settings;
    const { collectorPort, httpsPort: COLLECTOR_HTTPS_PORT, plainHttp } = collectorSettings;
    const COLLECTOR_PORT = plainHttp === 'on' ? collectorPort : undefined;
    await assertPortsFree({ PORT, HTTP_PORT, COLLECTOR_PORT, COLLECTOR_HTTPS_PORT }, listenHost);
    const firstStart = !existsSync(data.in('first-users.json'));
    const servers = await startServers(settings, data, logger);
    opened.push(() => servers.stop());
    const inner = innerEnvironment(env, settings, servers, data);
    const context = await openContext('ringdown', readSettings(contextSettings, inner));
    opened.push(() => context.close());
    const web = await openWeb(settings, data, context, inner);
    opened.push(() => web.close());
    const feed = await collector.start(readSettings(collector.fields, inner), context);
    opened.push(() => feed.close());
    const sentOn = await subscribers.start(readSettings(subscribers.fields, inner), context);
    opened.push(() => sentOn.close());
    opened.push(async () => context.health.startDraining());
    process.stdout.write(
      await welcome({
        origin: web.origin,
        hasConsole: web.hasConsole,
        feedPorts: { http: COLLECTOR_PORT, https: COLLECTOR_HTTPS_PORT },
        env: withoutBlanks(operatorEnv),
        tokenPath: settings.vendorProfile.web.paths.token[0] ?? '',
        firstUsersFile: bringsPeople(inner) ? undefined : data.in('first-users.json'),
        showPasswords: firstStart,
        certificateFile: web.madeHere,
      }),
    );
    return { logger, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function readOwnSettings(env: Environment): SettingValues<typeof ringdownSettings> {
  const groups: Record<string, SettingFields> = { ...services, own: ringdownSettings, context: contextSettings };
  const names = Object.values(groups).flatMap((fields) => Object.values(fields).map((field) => field.env));
  const misspelled = misspelledSettings(names, env);
  if (misspelled.length > 0) throw new SettingsError(misspelled);
  // The addresses of embedded servers are not known yet; any will do to have everything else checked at once.
  const placeholders = { NATS_URL: 'nats://embedded', DATABASE_URL: 'postgres://embedded' };
  readSettingGroups(groups, { ...placeholders, ...env });
  return readSettings(ringdownSettings, env);
}

interface Web {
  readonly origin: string;
  readonly hasConsole: boolean;
  readonly madeHere: string | undefined;
  close(): Promise<void>;
}

async function openWeb(
  settings: SettingValues<typeof ringdownSettings>,
  data: DataFolder,
  context: ServiceContext,
  env: Environment,
): Promise<Web> {
  const web = settings.vendorProfile.web;
  const { publicOrigins } = readSettings(publicOriginSettings, env);
  const discoveryHosts = settings.sipDomains.flatMap((domain) =>
    web.discoveryLabels.map((label) => `${label}.${domain}`),
  );
  const { cert, key, madeHere } = await certificate({
    certFile: settings.tlsCert,
    keyFile: settings.tlsKey,
    folder: data.in('tls'),
    hosts: [...publicOrigins.all.map((origin) => new URL(origin).hostname), ...discoveryHosts],
  });
  const parts: WebPart[] = [
    await discoveryAuth.open(readSettings(discoveryAuth.fields, env), context),
    await applicationPeople.open(readSettings(applicationPeople.fields, env), context),
    await aggregator.open(readSettings(aggregator.fields, env), context),
  ];
  const app = await createListener({
    parts,
    logger: context.logger,
    metrics: context.metrics,
    tls: { cert, key },
    webInterface: { web, publicOrigins, allowedOrigins: settings.allowedOrigins },
    trustedProxies: settings.trustedProxies,
    requestReply: { ...splitUrl(context.natsUrl), queue: 'ringdown' },
  });
  const hasConsole = await serveConsole(app.getHttpAdapter().getInstance());
  if (!hasConsole) context.logger.warn('the console has not been built: npm run build');
  await listen(app, settings.port, settings.listenHost);
  const plain =
    settings.httpPort === undefined ? undefined : await listenPlain(app, web, settings.httpPort, settings.listenHost);
  const close = async (): Promise<void> => {
    await plain?.close();
    await app.close();
  };
  return { origin: publicOrigins.first, hasConsole, madeHere, close };
}

/** The environment as the services see it: their servers are known now, and what one process shares is filled in. */
function innerEnvironment(
  env: Environment,
  settings: SettingValues<typeof ringdownSettings>,
  servers: Servers,
  data: DataFolder,
): Record<string, string | undefined> {
  return {
    COLLECTOR_HOST: settings.listenHost,
    ...feedCertificate(settings, data, env),
    PUBLIC_ORIGIN: `https://localhost:${settings.port}`,
    ...(servers.databaseIsEmbedded ? { DATABASE_POOL_SIZE: '2' } : {}),
    IDENTITY_SEED: data.secret('identity-seed'),
    ...env,
    NATS_URL: servers.natsUrl,
    DATABASE_URL: servers.databaseUrl,
  };
}

/** The feed shows the certificate of the web interface, unless it has one of its own. */
function feedCertificate(
  { tlsCert, tlsKey }: SettingValues<typeof ringdownSettings>,
  data: DataFolder,
  env: Environment,
): Record<string, string> {
  if (env['COLLECTOR_TLS_CERT'] !== undefined || env['COLLECTOR_TLS_KEY'] !== undefined) return {};
  const made = madeFiles(data.in('tls'));
  return { COLLECTOR_TLS_CERT: tlsCert ?? made.cert, COLLECTOR_TLS_KEY: tlsKey ?? made.key };
}

/** Whether the operator has people already; without any, three are made at first start. */
function bringsPeople(env: Environment): boolean {
  return env['PEOPLE_FILE'] !== undefined || env['DIRECTORY_URL'] !== undefined;
}

/** An empty setting means the same as none, as in every `.env` file. */
function withoutBlanks(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
}
