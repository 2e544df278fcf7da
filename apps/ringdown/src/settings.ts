import { connectionLimitSettings } from '@ringdown/node-http';
import { crossOriginSettings, listenerSettings, publicOriginSettings } from '@ringdown/web-server/settings';
import { setting } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { acmeSettings } from './acme/settings.js';

const embeddedUrl = 'embedded';

/** Settings of the one-process system. If a service has the same setting, the default here is used. */
export const ringdownSettings = {
  port: setting.port('PORT', { task: 'addresses', default: 8443, about: 'HTTPS port: the web interface and `/api`' }),
  httpPort: setting.optional(
    setting.port('HTTP_PORT', {
      task: 'addresses',
      about:
        'Plain HTTP port for the first contact of clients that do not begin with HTTPS (80); everything else is redirected to HTTPS',
    }),
  ),
  listenHost: setting.host('LISTEN_HOST', {
    task: 'addresses',
    default: '0.0.0.0',
    about: 'Address that both public ports listen on',
  }),
  dataDir: setting.text('DATA_DIR', { task: 'database', default: './data', about: 'Folder for all data' }),
  sipDomains: setting.domains('SIP_DOMAINS', {
    task: 'addresses',
    default: ['example.test'],
    about: 'SIP domains served; the first completes names without a domain',
  }),
  publicOrigins: {
    ...publicOriginSettings.publicOrigins,
    shownDefault: 'https://localhost:PORT, and loopback addresses and the name of this machine',
  },
  ...crossOriginSettings,
  tlsCert: setting.optional(
    setting.text('TLS_CERT', {
      task: 'https',
      about: 'Certificate file (PEM) for HTTPS. Default: from ACME_DIRECTORY, or generated at first start',
    }),
  ),
  tlsKey: setting.optional(
    setting.text('TLS_KEY', { task: 'https', about: 'Key file (PEM) that belongs to TLS_CERT' }),
  ),
  ...acmeSettings,
  hstsSeconds: {
    ...setting.optional(
      setting.integer('HSTS_SECONDS', {
        task: 'https',
        min: 0,
        max: 63_072_000,
        about: 'How long a browser uses only HTTPS for this host after a visit, seconds (Strict-Transport-Security)',
      }),
    ),
    shownDefault: '2592000 (30 days) with TLS_CERT or ACME_DIRECTORY, else 300',
  },
  natsUrl: {
    ...setting.optional(
      setting.servers('NATS_URL', ['nats', 'tls'], {
        task: 'bus',
        secret: true,
        about: 'NATS server to use instead of the embedded one',
      }),
    ),
    shownDefault: embeddedUrl,
  },
  allowOldNatsServer: setting.choice('ALLOW_OLD_NATS_SERVER', ['on', 'off'], {
    task: 'bus',
    default: 'off',
    about:
      'Start a nats-server before 2.10 if there is no other; a crash of the machine then loses records that were acknowledged in the last two minutes',
  }),
  databaseMemory: setting.integer('DATABASE_MEMORY_MB', {
    task: 'database',
    default: 64,
    min: 16,
    max: 1_000_000,
    about:
      'Memory of the embedded database for pages and sorting, MB; a quarter of the machine is usual for a large history',
  }),
  databaseUrl: {
    ...setting.optional(
      setting.servers('DATABASE_URL', ['postgres', 'postgresql'], {
        task: 'database',
        secret: true,
        about: 'PostgreSQL database to use instead of the embedded one',
      }),
    ),
    shownDefault: embeddedUrl,
  },
  upgradeCopy: setting.choice('UPGRADE_COPY', ['on', 'off'], {
    task: 'database',
    default: 'on',
    about: 'Whether a version that changes the form of the data keeps a copy of them first, for the way back',
  }),
  trustedProxies: listenerSettings.trustedProxies,
  ...connectionLimitSettings,
  ...profileSettings,
};
