import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { subnet, subnetKey } from '../../calls/parties/ip-address.js';

/** One subnet of a site; an address belongs to the site of the longest matching subnet. */
export interface SiteSubnet {
  readonly site: string;
  /** In PostgreSQL's notation. */
  readonly net: string;
}

const MAX_SUBNETS = 2_000;
const MAX_NAME = 100;

/**
 * Sites from a JSON file: `{"Oslo": ["10.1.0.0/16", "2001:db8::/32"]}`. Throws an Error that completes "SITES_FILE …".
 */
export function loadSites(file: string): readonly SiteSubnet[] {
  const seen = new Map<string, string>();
  const sites = Object.entries(sitesObject(readJson(file))).flatMap(([site, subnets]) => {
    if (site.trim() === '' || site.length > MAX_NAME) throw new Error(`needs names of 1 to ${MAX_NAME} characters`);
    if (!Array.isArray(subnets)) throw new Error(`needs a list of subnets for "${site}"`);
    return subnets.map((text: unknown) => siteSubnet(site, text, seen));
  });
  if (sites.length > MAX_SUBNETS) throw new Error(`may have ${MAX_SUBNETS} subnets at most`);
  return sites;
}

function siteSubnet(site: string, text: unknown, seen: Map<string, string>): SiteSubnet {
  const found = typeof text === 'string' ? subnet(text) : undefined;
  if (found === undefined) throw new Error(`has ${JSON.stringify(text)} in "${site}", which is not a subnet`);
  const key = subnetKey(found);
  const other = seen.get(key);
  if (other !== undefined) throw new Error(`has ${String(text)} twice, in "${other}" and in "${site}"`);
  seen.set(key, site);
  return { site, net: `${found.address.text}/${found.length}` };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = errorReason(error);
    throw new Error(`must be a readable JSON file: ${reason}`, { cause: error });
  }
}

function sitesObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must contain an object');
  return Object.fromEntries(Object.entries(value));
}
