import type { collector } from '@ringdown/collector';
import { isLoopback } from '@ringdown/node-http';
import type { Environment, SettingValues } from '@ringdown/settings';
import { hostname } from 'node:os';
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

/** The feed as a program on this machine reaches it. */
export function ownCollector(host: string, feed: SettingValues<typeof collector.fields>): string {
  const loopback = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]);
  return feedOn(loopback.get(host) ?? host, feed);
}

/** The feed as other machines reach it, if it listens on all addresses. */
export function feedAddress(host: string, feed: SettingValues<typeof collector.fields>): string {
  const isAny = host === '0.0.0.0' || host === '::';
  return `${feedOn(isAny ? hostname() : host, feed)}/`;
}

function feedOn(
  reached: string,
  { plainHttp, collectorPort, httpsPort }: SettingValues<typeof collector.fields>,
): string {
  const named = reached.includes(':') ? `[${reached}]` : reached;
  return plainHttp === 'on' ? `http://${named}:${collectorPort}` : `https://${named}:${httpsPort}`;
}
