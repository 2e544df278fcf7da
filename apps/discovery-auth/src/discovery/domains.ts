import type { PublicOrigins } from '@ringdown/web-server';
import type { DomainHome, DomainHomes } from '../domain-homes.js';
import type { DiscoveryQuery } from './discovery-query.js';

const NO_SETTINGS: DomainHome = {};
const NO_HOMES: DomainHomes = new Map();

export interface DomainsOptions {
  readonly homes?: DomainHomes | undefined;
  readonly publicOrigins: PublicOrigins;
  /** First labels of discovery host names, from the vendor profile. */
  readonly discoveryLabels: readonly string[];
}

/** Finds the settings of the domain of a user. */
export class Domains {
  /** Throws an Error for an origin that is not ours, and for a redirect that leads back to this system. */
  constructor(private readonly options: DomainsOptions) {
    const { publicOrigins, homes = NO_HOMES } = options;
    const ours = publicOrigins.all;
    for (const [domain, { origin, redirect }] of homes) {
      if (origin !== undefined && !ours.includes(origin)) {
        throw new Error(`DOMAINS_FILE: the origin of ${domain} is not one of PUBLIC_ORIGIN: ${origin}`);
      }
      if (redirect !== undefined && ours.includes(new URL(redirect).origin)) {
        throw new Error(`DOMAINS_FILE: the redirect of ${domain} leads back to this system: ${redirect}`);
      }
    }
  }

  /** The domain of a SIP address or URI, or of a user name in that form. */
  ofAddress(address: string): DomainHome {
    const [, domain = ''] = /@([^;@?]*)/.exec(address) ?? [];
    return this.of(domain);
  }

  /**
   * The domain of a client's first request: from its query, otherwise from the host name that it guessed
   * (web-interface.md, section 1).
   */
  ofDiscovery({ sipUri, originalDomain }: DiscoveryQuery, host: string): DomainHome {
    return sipUri === undefined ? this.of(originalDomain ?? this.domainOfHost(host)) : this.ofAddress(sipUri);
  }

  private of(domain: string): DomainHome {
    return this.options.homes?.get(domain.trim().toLowerCase()) ?? NO_SETTINGS;
  }

  private domainOfHost(host: string): string {
    const [label = '', ...rest] = host.replace(/:\d+$/, '').toLowerCase().split('.');
    return this.options.discoveryLabels.includes(label) ? rest.join('.') : '';
  }
}
