import { isWithin, subnet } from '../../calls/parties/ip-address.js';
import type { SiteSubnet } from './load-sites.js';

/** A subnet of a site without the subnets in it that belong to other sites; all in PostgreSQL's notation. */
export interface Place {
  readonly net: string;
  readonly except: readonly string[];
}

/**
 * The subnets of a site: an address belongs to the site of the longest matching subnet. Undefined when the site does
 * not exist.
 */
export function sitePlaces(sites: readonly SiteSubnet[], site: string): readonly Place[] | undefined {
  const [own, others] = [sites.filter((each) => each.site === site), sites.filter((each) => each.site !== site)];
  if (own.length === 0) return undefined;
  return own.map(({ net }) => ({
    net,
    except: others.flatMap((other) => (isInside(other.net, net) ? other.net : [])),
  }));
}

function isInside(inner: string, outer: string): boolean {
  const [one, other] = [subnet(inner), subnet(outer)];
  return one !== undefined && other !== undefined && isWithin(one, other);
}
