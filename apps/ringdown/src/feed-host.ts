import { isLoopback } from '@ringdown/node-http';
import type { Environment, SettingValues } from '@ringdown/settings';
import type { ringdownSettings } from './settings.js';

/**
 * The feed has no passwords: it is open only to this machine until the operator configures who else may send records.
 */
export function feedListenHost(
  { listenHost }: Pick<SettingValues<typeof ringdownSettings>, 'listenHost'>,
  env: Environment,
): string {
  const isClosed = env['COLLECTOR_ALLOW'] === undefined && env['COLLECTOR_CLIENT_CA'] === undefined;
  return env['COLLECTOR_HOST'] ?? (isClosed && !isLoopback(listenHost) ? '127.0.0.1' : listenHost);
}
