import { aggregator } from '@ringdown/aggregator';
import { applicationPeople } from '@ringdown/application-people';
import { collector } from '@ringdown/collector';
import { discoveryAuth } from '@ringdown/discovery-auth';
import { createLogger, logSettings, type Health } from '@ringdown/observability';
import { contextSettings, openProcess, RunningProcess, type Program } from '@ringdown/service';
import { readSettings, type Environment, type SettingValues } from '@ringdown/settings';
import { subscribers } from '@ringdown/subscribers';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemAddresses } from './host/addresses.js';
import { connectionRoom } from './host/connection-room.js';
import { DataFolder } from './data-folder.js';
import { busLimits } from './host/disk-room.js';
import { feedAddress, feedListenHost, ownCollector } from './feed-host.js';
import { chosenAuthority, EMBEDDED_NATS_URL, readOwnSettings, setValues } from './own-settings.js';
import { feedCertificate } from './host/feed-certificate.js';
import { openWeb, type Web } from './host/web.js';
import { assertPortsFree, chosenInnerPort, freeInnerPort, innerHostOf } from './host/ports.js';
import { reportServers } from './server-reports.js';
import { startServers, type Servers } from './servers.js';
import { linksToAnotherPort, settingsWithoutEffect } from './setting-names.js';
import type { ringdownSettings } from './settings.js';
import { problemLines, statusLine } from './status.js';
import { completeWhenReady } from './upgrade/complete-when-ready.js';
import { welcome } from './welcome.js';

const services = [discoveryAuth, applicationPeople, aggregator, collector, subscribers];

/** The defaults for settings that a service needs and the operator has not set. */
const defaults = { LOG_FORMAT: 'pretty', LOG_LEVEL: 'warn' };

/** Starts every service in this process, in the order of their dependencies; closes what was opened when one fails. */
export async function startRingdown(operatorEnv: Environment, stopping?: AbortSignal): Promise<Program> {
  const given = { ...defaults, ...setValues(operatorEnv) };
  const settings = await readOwnSettings(given);
  const logger = createLogger('ringdown', readSettings(logSettings, given));
  for (const line of settingsWithoutEffect(given)) print(line);
  for (const line of linksToAnotherPort(settings.port, operatorEnv['PUBLIC_ORIGIN'])) print(line);
  const data = await DataFolder.open(settings.dataDir);
  const opened: (() => Promise<void>)[] = [async () => data.release()];
  const close = async (): Promise<void> => {
    for (const part of opened.splice(0).toReversed()) await part();
  };
  try {
    const env = { ...(settings.natsUrl === undefined ? busLimits(data.in('nats'), given, print) : {}), ...given };
    const collectorSettings = readSettings(collector.fields, env);
    const { port: PORT, httpPort: HTTP_PORT, listenHost } = settings;
    const { collectorPort, httpsPort: COLLECTOR_HTTPS_PORT, plainHttp } = collectorSettings;
    const COLLECTOR_PORT = plainHttp === 'on' ? collectorPort : undefined;
    const ports = { PORT, HTTP_PORT, COLLECTOR_PORT, COLLECTOR_HTTPS_PORT };
    await assertPortsFree({ ...ports, INNER_PORT: chosenInnerPort(env) }, (setting) => {
      if (setting === 'INNER_PORT') return innerHostOf(env);
      return setting.startsWith('COLLECTOR_')
        ? { host: feedListenHost(settings, env), hostSetting: 'COLLECTOR_HOST' }
        : { host: listenHost, hostSetting: 'LISTEN_HOST' };
    });
    const room = connectionRoom(
      {
        web: { most: settings.maxConnections, perAddress: settings.connectionsPerAddress },
        feed: { most: collectorSettings.maxConnections, perAddress: collectorSettings.maxConnectionsPerAddress },
        webPorts: [PORT, HTTP_PORT],
        feedPorts: [COLLECTOR_PORT, COLLECTOR_HTTPS_PORT],
      },
      (setting) => operatorEnv[setting] !== undefined,
      print,
    );
    const firstStart = !existsSync(data.in('first-users.json'));
    const { databasePoolSize } = readSettings({ databasePoolSize: aggregator.fields.databasePoolSize }, env);
    const begin = (): Promise<void> => data.beginUpgrade({ ...settings, print, stopping });
    const servers = await startServers({ ...settings, databasePoolSize }, data, logger, { stopping, begin });
    opened.push(() => servers.stop());
    const INNER_PORT = String(await freeInnerPort({ env, besides: Object.values(ports), logger }));
    const inner = {
      ...innerEnvironment(env, settings, servers, data),
      INNER_PORT,
      COLLECTOR_MAX_CONNECTIONS: String(room.feed.most),
      COLLECTOR_MAX_CONNECTIONS_PER_ADDRESS: String(room.feed.perAddress),
    };
    const shared = await openProcess('ringdown', readSettings(contextSettings, inner), stopping);
    opened.push(() => shared.close());
    // Parts can all be well before anything listens: whoever asks for health would be sent to closed ports.
    const listening = shared.health.startStarting();
    reportServers(servers.inner, shared);
    // From now on, `npm run status` shows what a start waits for.
    data.running.announce({ addresses: [], inner: shared.innerOrigin });
    const running = new RunningProcess({
      ...shared,
      settings: Object.fromEntries(services.map(({ name, fields }) => [name, readSettings(fields, inner)])),
      busOf: (service) => servers.busFor(service),
    });
    opened.push(() => running.closeConnections());
    const acme = chosenAuthority(settings, given);
    const folder = data.in('tls');
    const web = await openWeb({ ...settings, ...room.web }, { services, running, env: inner, folder, acme });
    opened.push(() => web.close());
    listening();
    opened.push(async () => shared.health.startDraining());
    await Promise.race([whenReady(shared.health), sleep(READY_MS, undefined, { ref: false })]);
    for (const line of problemLines(await shared.health.report())) print(line);
    const completion = await completeWhenReady({ ...shared, complete: () => data.completeUpgrade(servers.versions) });
    opened.push(async () => completion.stop());
    const addresses = systemAddresses({
      ...web,
      inner: shared.innerOrigin,
      feedPorts: { http: COLLECTOR_PORT, https: COLLECTOR_HTTPS_PORT },
    });
    const announce = (made: Web['generated']): void =>
      data.running.announce({ addresses, inner: shared.innerOrigin, fingerprint: made?.fingerprint });
    announce(web.generated);
    web.onCertificate(announce);
    process.stdout.write(
      await welcome({
        origin: web.origin,
        addresses,
        feedIsClosed: operatorEnv['COLLECTOR_HOST'] === undefined && feedListenHost(settings, env) !== listenHost,
        env: setValues(operatorEnv),
        tokenPath: settings.vendorProfile.web.paths.token[0] ?? '',
        firstUsersFile: bringsPeople(inner) ? undefined : data.in('first-users.json'),
        // Output that is not a terminal is stored: in a journal, a file, the log of a container.
        isInBackground: process.env['RINGDOWN_BACKGROUND'] === '1',
        showPasswords: firstStart && process.stdout.isTTY,
        certificate: web.generated,
      }),
    );
    const status = async (): Promise<string> => statusLine(await shared.health.report(), web.origin);
    return { logger, status, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rejects like {@link startRingdown} when a setting, or a file that it names, is wrong; starts nothing. */
export async function checkSettings(operatorEnv: Environment): Promise<void> {
  await readOwnSettings({ ...defaults, ...setValues(operatorEnv) });
}

/**
 * How long a start waits until all services are ready, for example until tables exist; after this time, `npm run
 * status` shows what is missing.
 */
const READY_MS = 15_000;

async function whenReady(health: Health): Promise<void> {
  const until = performance.now() + READY_MS;
  while (!(await health.report()).ready && performance.now() < until) await sleep(50);
}

function print(line: string): void {
  process.stderr.write(`ringdown: ${line}\n`);
}

/** The environment as the services see it: with the URLs of their servers, and the settings that one process shares. */
function innerEnvironment(
  env: Environment,
  settings: SettingValues<typeof ringdownSettings>,
  servers: Servers,
  data: DataFolder,
): Record<string, string | undefined> {
  return {
    COLLECTOR_HOST: feedListenHost(settings, env),
    ...feedCertificate(
      {
        certFile: settings.tlsCert,
        keyFile: settings.tlsKey,
        folder: data.in('tls'),
        hasAuthority: settings.acmeDirectory !== undefined,
      },
      env,
    ),
    PUBLIC_ORIGIN: ownOrigins(settings.port),
    CAPTURE_COLLECTOR: ownCollector(feedListenHost(settings, env), readSettings(collector.fields, env)),
    FEED_ADDRESS: feedAddress(feedListenHost(settings, env), readSettings(collector.fields, env)),
    SITES_FILE: env['SITES_FILE'] ?? data.objectFile('sites.json'),
    IDENTITY_SEED: data.secret('identity-seed'),
    // The embedded bus has other keys after each start.
    ...(settings.natsUrl === undefined ? { TOKEN_KEY: data.secret('token-key') } : {}),
    ...env,
    NATS_URL: settings.natsUrl ?? EMBEDDED_NATS_URL,
    DATABASE_URL: servers.databaseUrl,
  };
}

/** Every address under which a user may open the console; the certificate that is made here lists them. */
function ownOrigins(port: number): string {
  return ['localhost', '127.0.0.1', '[::1]', hostname()]
    .map((host) => `https://${host}:${port}`)
    .filter((origin) => URL.canParse(origin))
    .join(', ');
}

/** Whether the operator provides people; otherwise three users are created at first start. */
function bringsPeople(env: Environment): boolean {
  return env['PEOPLE_FILE'] !== undefined || env['DIRECTORY_URL'] !== undefined;
}
