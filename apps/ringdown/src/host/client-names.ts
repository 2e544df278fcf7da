import type { Environment, SettingValues } from '@ringdown/settings';
import { isIP } from 'node:net';
import type { ringdownSettings } from '../settings.js';

export interface ClientName {
  readonly name: string;
  /** Who looks for it. */
  readonly why: string;
}

interface Given {
  /** As the operator set it. */
  readonly env: Environment;
  readonly settings: SettingValues<typeof ringdownSettings>;
}

/** Names that clients look for. With a certificate or links for others, the name of this machine alone is not enough. */
export function clientNames({ env, settings }: Given): readonly ClientName[] {
  const [, label = ''] = settings.vendorProfile.web.discoveryLabels;
  const domains = env['SIP_DOMAINS'] === undefined ? [] : settings.sipDomains;
  const discovery = domains.map((domain) => ({
    name: `${label}.${domain}`,
    why: `clients of ${domain} find the server by it`,
  }));
  const hosts =
    env['PUBLIC_ORIGIN'] === undefined ? [] : settings.publicOrigins.all.map((origin) => new URL(origin).hostname);
  const linked = hosts
    .filter((host) => host !== 'localhost' && isIP(host.replace(/^\[|\]$/g, '')) === 0)
    .map((name) => ({ name, why: 'links lead to it (PUBLIC_ORIGIN)' }));
  const certified = (settings.acmeHosts ?? []).map((name) => ({ name, why: 'an authority looks at it (ACME_HOSTS)' }));
  const all = [...discovery, ...linked, ...certified];
  return all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at);
}
