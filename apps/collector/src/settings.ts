import { streamSettings } from '@ringdown/feed-bus';
import { setting, SettingsError, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';

export const tlsSettings = {
  tlsCert: setting.optional(
    setting.text('COLLECTOR_TLS_CERT', {
      about: 'Certificate file (PEM) for HTTPS of the feed; a renewed file is taken without a restart',
    }),
  ),
  tlsKey: setting.optional(
    setting.text('COLLECTOR_TLS_KEY', { about: 'Key file (PEM) that belongs to COLLECTOR_TLS_CERT' }),
  ),
  clientCa: setting.optional(
    setting.text('COLLECTOR_CLIENT_CA', {
      about:
        'Certificates (PEM) by which those of front ends must be signed; with it HTTPS is for those alone, from any address that COLLECTOR_ALLOW names',
    }),
  ),
};

export const collectorSettings = {
  collectorPort: setting.port('COLLECTOR_PORT', { default: 8080, about: 'Plain HTTP port of the diagnostics feed' }),
  plainHttp: setting.choice('COLLECTOR_PLAIN_HTTP', ['on', 'off'], {
    default: 'on',
    about: 'Whether the feed is taken over plain HTTP; `off` leaves HTTPS alone',
  }),
  httpsPort: setting.optional(
    setting.port('COLLECTOR_HTTPS_PORT', { about: 'HTTPS port of the diagnostics feed; left out: none' }),
  ),
  ...tlsSettings,
  allowedNetworks: setting.optional(
    setting.networks('COLLECTOR_ALLOW', {
      about:
        'Whose requests the feed takes; left out: those of this machine, of private networks, and over HTTPS of all whom COLLECTOR_CLIENT_CA lets in',
    }),
  ),
  collectorHost: setting.host('COLLECTOR_HOST', {
    default: '0.0.0.0',
    about:
      'Address that the diagnostics feed listens on. With `npm start` 127.0.0.1 unless COLLECTOR_ALLOW or COLLECTOR_CLIENT_CA is set, then LISTEN_HOST',
  }),
  collectorOrigin: setting.optional(
    setting.origin('COLLECTOR_ORIGIN', {
      about:
        'Address of the feed as front ends see it; told to them with their configuration. Left out: as they called it',
    }),
  ),
  configurationFile: setting.optional(
    setting.text('COLLECTOR_CONFIGURATION', {
      about:
        'JSON file with what front ends that ask are set to (docs/guides/front-ends.md); a change takes effect by itself',
    }),
  ),
  sendersFile: setting.optional(
    setting.text('COLLECTOR_SENDERS', {
      about:
        'JSON file that says for which front ends a certificate or an address may report (docs/guides/front-ends.md); a change takes effect by itself. Left out: for all',
    }),
  ),
  maxFrontEnds: setting.integer('COLLECTOR_MAX_FRONT_ENDS', {
    default: 1_000,
    min: 1,
    max: 10_000,
    about:
      'Front ends that records may name, all collectors together; records of a new one beyond them are refused, unless COLLECTOR_SENDERS names it',
  }),
  proxyProtocol: setting.choice('COLLECTOR_PROXY_PROTOCOL', ['on', 'off'], {
    default: 'off',
    about: 'Whether a balancer in front tells whose connection it hands on, in a PROXY line; all must bring one then',
  }),
  maxBodyBytes: setting.integer('COLLECTOR_MAX_BODY_BYTES', {
    default: 400_000,
    min: 1_024,
    max: 900_000,
    about: 'Largest body of one request, bytes',
  }),
  maxConnections: setting.integer('COLLECTOR_MAX_CONNECTIONS', {
    default: 1_000,
    min: 1,
    max: 100_000,
    about: 'Connections of front ends at the same time, by port; more are dropped',
  }),
  maxConnectionsPerAddress: setting.integer('COLLECTOR_MAX_CONNECTIONS_PER_ADDRESS', {
    default: 500,
    min: 1,
    max: 100_000,
    about:
      'Connections of one address (IPv6: one /64) at the same time, by port; more are dropped. A balancer that does not tell addresses is one',
  }),
  requestSeconds: setting.integer('COLLECTOR_REQUEST_SECONDS', {
    default: 15,
    min: 1,
    max: 300,
    about: 'How long one request may take to arrive, seconds; its head has two thirds of that, and 10 at most',
  }),
  idleSeconds: setting.integer('COLLECTOR_IDLE_SECONDS', {
    default: 600,
    min: 1,
    max: 86_400,
    about: 'How long a connection without requests stays open, seconds',
  }),
  storeMs: setting.integer('COLLECTOR_STORE_MS', {
    default: 5_000,
    min: 200,
    max: 60_000,
    about: 'How long storing a record may take before the front end is told to come back, milliseconds',
  }),
  ...streamSettings,
  ...profileSettings,
};

/** Throws a {@link SettingsError} about settings that do not go together. */
export function assertFeedSettings({
  plainHttp,
  httpsPort,
  tlsCert,
  tlsKey,
  clientCa,
}: SettingValues<typeof collectorSettings>): void {
  if (httpsPort !== undefined) {
    if ((tlsCert === undefined) === (tlsKey === undefined)) return;
    throw new SettingsError(['COLLECTOR_HTTPS_PORT needs COLLECTOR_TLS_CERT and COLLECTOR_TLS_KEY']);
  }
  const forHttps = { COLLECTOR_CLIENT_CA: clientCa, COLLECTOR_TLS_CERT: tlsCert, COLLECTOR_TLS_KEY: tlsKey };
  const problems = Object.entries(forHttps).flatMap(([name, value]) =>
    value === undefined ? [] : `${name} has no effect without COLLECTOR_HTTPS_PORT`,
  );
  if (plainHttp === 'off') {
    problems.push('COLLECTOR_PLAIN_HTTP is off, which leaves nothing without COLLECTOR_HTTPS_PORT');
  }
  if (problems.length > 0) throw new SettingsError(problems);
}

export type Settings = SettingValues<typeof collectorSettings>;
/** Injects {@link Settings}. */
export const SETTINGS = Symbol('settings of the collector');
