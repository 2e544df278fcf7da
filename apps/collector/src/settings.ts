import { streamSettings } from '@ringdown/feed-bus/streams';
import { setting, SettingsError, type SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';

export const tlsSettings = {
  tlsCert: setting.optional(
    setting.text('COLLECTOR_TLS_CERT', {
      task: 'https',
      about: 'Certificate file (PEM) for HTTPS of the feed; a renewed file takes effect without a restart',
    }),
  ),
  tlsKey: setting.optional(
    setting.text('COLLECTOR_TLS_KEY', { task: 'https', about: 'Key file (PEM) that belongs to COLLECTOR_TLS_CERT' }),
  ),
  clientCa: setting.optional(
    setting.text('COLLECTOR_CLIENT_CA', {
      task: 'https',
      about:
        'Certificates (PEM) that must have signed those of front ends; with it HTTPS is only for these front ends, from any address in COLLECTOR_ALLOW',
    }),
  ),
};

export const collectorSettings = {
  collectorPort: setting.port('COLLECTOR_PORT', {
    task: 'addresses',
    default: 8080,
    about: 'Plain HTTP port of the diagnostics feed',
  }),
  plainHttp: setting.choice('COLLECTOR_PLAIN_HTTP', ['on', 'off'], {
    task: 'https',
    default: 'on',
    about: 'Whether the feed accepts plain HTTP; `off` allows only HTTPS',
  }),
  httpsPort: setting.optional(
    setting.port('COLLECTOR_HTTPS_PORT', {
      task: 'addresses',
      about: 'HTTPS port of the diagnostics feed. Default: none',
    }),
  ),
  ...tlsSettings,
  allowedNetworks: setting.optional(
    setting.networks('COLLECTOR_ALLOW', {
      task: 'frontEnds',
      about:
        'Addresses whose requests the feed accepts. Default: this machine, private networks, and over HTTPS all clients with a certificate of COLLECTOR_CLIENT_CA',
    }),
  ),
  collectorHost: setting.host('COLLECTOR_HOST', {
    task: 'addresses',
    default: '0.0.0.0',
    about:
      'Address that the diagnostics feed listens on. With `npm start` 127.0.0.1 unless COLLECTOR_ALLOW or COLLECTOR_CLIENT_CA is set, then LISTEN_HOST',
  }),
  collectorOrigin: setting.optional(
    setting.origin('COLLECTOR_ORIGIN', {
      task: 'addresses',
      about: 'Address of the feed for front ends, sent with their configuration. Default: the address of their request',
    }),
  ),
  configurationFile: setting.optional(
    setting.text('COLLECTOR_CONFIGURATION', {
      task: 'frontEnds',
      about:
        'JSON file with the configuration of front ends (docs/guides/front-ends.md); a change takes effect without a restart',
    }),
  ),
  sendersFile: setting.optional(
    setting.text('COLLECTOR_SENDERS', {
      task: 'frontEnds',
      about:
        'JSON file that defines for which front ends a certificate or an address may report (docs/guides/front-ends.md); a change takes effect without a restart. Default: for all',
    }),
  ),
  maxFrontEnds: setting.integer('COLLECTOR_MAX_FRONT_ENDS', {
    task: 'frontEnds',
    default: 1_000,
    min: 1,
    max: 10_000,
    about:
      'Maximum number of front ends in records, all collectors together; records of further ones are rejected, unless COLLECTOR_SENDERS names them',
  }),
  proxyProtocol: setting.choice('COLLECTOR_PROXY_PROTOCOL', ['on', 'off'], {
    task: 'addresses',
    default: 'off',
    about:
      'Whether connections start with a PROXY line in which a balancer sends the client address; then every connection must have one',
  }),
  maxBodyBytes: setting.integer('COLLECTOR_MAX_BODY_BYTES', {
    task: 'limits',
    default: 400_000,
    min: 1_024,
    max: 900_000,
    about: 'Largest body of one request, bytes',
  }),
  maxConnections: setting.integer('COLLECTOR_MAX_CONNECTIONS', {
    task: 'limits',
    default: 1_000,
    min: 1,
    max: 100_000,
    about:
      'Maximum number of connections per port; further ones are dropped. Less if the process may open fewer files (ulimit -n)',
  }),
  maxConnectionsPerAddress: setting.integer('COLLECTOR_MAX_CONNECTIONS_PER_ADDRESS', {
    task: 'limits',
    default: 500,
    min: 1,
    max: 100_000,
    about:
      'Maximum number of connections of one address (IPv6: one /64) per port; further ones are dropped. A balancer that does not send client addresses counts as one address',
  }),
  requestSeconds: setting.integer('COLLECTOR_REQUEST_SECONDS', {
    task: 'limits',
    default: 15,
    min: 1,
    max: 300,
    about: 'Time for a request to arrive, seconds; its head has two thirds of it, and at most 10',
  }),
  idleSeconds: setting.integer('COLLECTOR_IDLE_SECONDS', {
    task: 'limits',
    default: 600,
    min: 1,
    max: 86_400,
    about: 'Time after which a connection without requests is closed, seconds',
  }),
  storeMs: setting.integer('COLLECTOR_STORE_MS', {
    task: 'limits',
    // A cluster elects another leader within 6.6 s; a sender waits 10 s for the answer.
    default: 8_000,
    min: 200,
    max: 60_000,
    about:
      'Time for storing a record; after it the front end gets 503, milliseconds. Long enough for a change of leader in a cluster of the bus',
  }),
  ...streamSettings,
  ...profileSettings,
};

/** Throws a {@link SettingsError} about settings that do not fit together. */
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
    problems.push('COLLECTOR_PLAIN_HTTP is off and COLLECTOR_HTTPS_PORT is not set: the feed would have no port');
  }
  if (problems.length > 0) throw new SettingsError(problems);
}

export type Settings = SettingValues<typeof collectorSettings>;
/** Injects {@link Settings}. */
export const SETTINGS = Symbol('settings of the collector');
