import type { Call } from '../../calls/call.js';
import { ipAddress, subnet, subnetKey, addressBitCount } from '../../calls/parties/ip-address.js';
import type { SiteSubnet } from './load-sites.js';

/** The sites of addresses: an address belongs to the longest subnet that contains it. */
export class SiteTable {
  private readonly sites: ReadonlyMap<string, string>;
  /** Of all subnets, the longest first. */
  private readonly lengths: readonly number[];

  constructor(readonly subnets: readonly SiteSubnet[]) {
    const nets = subnets.flatMap(({ site, net }) => {
      const found = subnet(net);
      return found === undefined ? [] : [{ site, found }];
    });
    this.sites = new Map(nets.map(({ site, found }) => [subnetKey(found), site]));
    this.lengths = [...new Set(nets.map(({ found }) => found.length))].toSorted((a, b) => b - a);
  }

  siteOf(written: string | undefined): string | undefined {
    const address = written === undefined ? undefined : ipAddress(written);
    if (address === undefined) return undefined;
    const keys = this.lengths
      .filter((length) => length <= addressBitCount(address))
      .map((length) => subnetKey({ address, length }));
    const key = keys.find((each) => this.sites.has(each));
    return key === undefined ? undefined : this.sites.get(key);
  }
}

/** Finds the site of an address. */
export type SiteLookup = Pick<SiteTable, 'siteOf'>;

/** The site of the address of a party, else of its address outside of the NAT. */
export function partySite({ ip, reflexiveIp }: Call['parties'][number], table: SiteLookup): string | undefined {
  return table.siteOf(ip) ?? table.siteOf(reflexiveIp);
}

/** The call with the site of each party. */
export function withSites<C extends Pick<Call, 'parties'>>(
  call: C,
  table: SiteLookup,
): C & { readonly parties: readonly (C['parties'][number] & { readonly site?: string })[] } {
  const parties = call.parties.map((party) => {
    const site = partySite(party, table);
    return site === undefined ? party : { ...party, site };
  });
  return { ...call, parties };
}
