import { streamSettings } from '@ringdown/bus';
import { setting } from '@ringdown/settings';
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
      about: 'Certificates (PEM) by which those of front ends must be signed; with it HTTPS is for those alone',
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
    setting.networks('COLLECTOR_ALLOW', { about: 'Whose requests the feed takes; left out: everybody’s' }),
  ),
  collectorHost: setting.text('COLLECTOR_HOST', {
    default: '0.0.0.0',
    about: 'Address that the diagnostics feed listens on; front ends are other machines',
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
  requestSeconds: setting.integer('COLLECTOR_REQUEST_SECONDS', {
    default: 15,
    min: 1,
    max: 300,
    about: 'How long one request may take to arrive, seconds; its head has two thirds of that',
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
