import { connectionLimitSettings } from '@ringdown/node-http';
import { setting } from '@ringdown/settings';

/**
 * Where a service listens inside the deployment, and how many connections it accepts; the edge in front of it speaks
 * HTTPS.
 */
export const listenerSettings = {
  servicePort: setting.port('SERVICE_PORT', {
    task: 'addresses',
    default: 8000,
    about: 'Plain HTTP port of a service behind the edge',
  }),
  serviceHost: setting.host('SERVICE_HOST', {
    task: 'addresses',
    default: '127.0.0.1',
    about: 'Address that a service listens on',
  }),
  trustedProxies: setting.optional(
    setting.networks('TRUSTED_PROXIES', {
      task: 'addresses',
      about:
        'Addresses or networks of proxies: their X-Forwarded-For header is used, and their connections are not limited per address',
    }),
  ),
  ...connectionLimitSettings,
};
