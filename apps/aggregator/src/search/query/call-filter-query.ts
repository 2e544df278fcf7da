import { rejectParameter } from '@ringdown/web-server/errors';
import { isMark } from '@ringdown/identity-hiding';
import { callKey } from '../../calls/call-keys.js';
import { subnet, addressBitCount } from '../../calls/parties/ip-address.js';
import type { SiteTable } from '../sites/site-table.js';
import { searchKey, subnetSearchKey } from '../keys/search-keys.js';
import { UPLOADS, type Uploads } from '../../calls/life/uploaded-calls.js';
import { sitePlaces, type Place } from '../sites/site-places.js';
import type { CallFilter } from '../filter/call-filter.js';
import { rangesOf } from './call-ranges-query.js';
import { fieldConditions, FieldsQuery } from './field-filters.js';
import { Moment, OneOf, SearchWords, ShortText, TimeSpan } from '../filter/query-fields.js';

const MAX_NAME = 255;
const MAX_ID = 512;

/** Parameters that select calls, each on its own or in any combination. */
export class CallFilterQuery extends FieldsQuery {
  @SearchWords()
  q?: readonly string[];

  @ShortText('an IP address, or a subnet like 10.1.0.0/16', MAX_NAME, (text) => subnet(text) !== undefined)
  address?: string;

  @ShortText('one CallId', MAX_ID)
  callId?: string;

  @ShortText('the name of one site', MAX_NAME)
  site?: string;

  /** Default: `include` for calls, `exclude` for statistics and alerts. */
  @OneOf(UPLOADS)
  uploads?: Uploads;

  @Moment()
  from?: Date;

  @Moment()
  to?: Date;

  /** Milliseconds until now, instead of `from` and `to`. */
  @TimeSpan()
  last?: number;
}

/** Makes filters from the parameters. `sites`: the subnets of each site; `now`: milliseconds since 1970. */
export class CallFilters {
  constructor(
    private readonly sites: Pick<SiteTable, 'subnets'>,
    private readonly now: () => number,
  ) {}

  get hasSites(): boolean {
    return this.sites.subnets.length > 0;
  }

  /**
   * Checks what no parameter shows by itself: throws a {@link Fault} when the times exclude each other or the site does not
   * exist. `searchesIdentities`: whether words are searched in names of users too.
   */
  of(query: CallFilterQuery, searchesIdentities: boolean): CallFilter {
    const { callId, address } = query;
    const places = query.site === undefined ? undefined : this.placesOf(query.site);
    const nets = places?.map(({ net }) => net) ?? [];
    const fields = fieldConditions(query);
    return {
      ...fields,
      ...this.timesOf(query),
      callKey: callId === undefined || isMark(callId) ? undefined : callKey(callId),
      words: query.q,
      searchesIdentities: query.q === undefined ? undefined : searchesIdentities,
      searchKeys: [
        ...fields.searchKeys,
        ...callIdMarkKeys(callId),
        ...anyOf(address === undefined ? [] : [address]),
        ...anyOf(nets),
      ],
      subnet: address === undefined ? undefined : subnetCondition(address),
      address,
      ranges: rangesOf(query),
      places,
      site: query.site,
      uploads: query.uploads,
    };
  }

  private timesOf({ from, to, last }: CallFilterQuery): Pick<CallFilter, 'from' | 'to' | 'last'> {
    if (from && to && from >= to) rejectParameter('from', 'from must be before to', 'order');
    if (last === undefined) return { from, to };
    if (from || to) rejectParameter('last', 'last must not be given together with from or to', 'conflict');
    return { from: new Date(Math.max(0, this.now() - last)), last };
  }

  private placesOf(site: string): readonly Place[] {
    const places = sitePlaces(this.sites.subnets, site);
    return places ?? rejectParameter('site', 'site must be one of those in SITES_FILE', 'choice');
  }
}

/** A CallId that is hidden is found by its mark. */
function callIdMarkKeys(callId: string | undefined): readonly (readonly string[])[] {
  return callId !== undefined && isMark(callId) ? [[searchKey('callId', callId)]] : [];
}

/** The search keys of which a call with an address in one of `nets` has at least one; none when no key covers them. */
function anyOf(nets: readonly string[]): readonly (readonly string[])[] {
  const keys = nets.map((text) => {
    const net = subnet(text);
    return net && subnetSearchKey(net);
  });
  const known = keys.filter((key) => key !== undefined);
  return nets.length > 0 && known.length === nets.length ? [known] : [];
}

/** Only when the search key does not cover it exactly. */
function subnetCondition(text: string): string | undefined {
  const net = subnet(text);
  if (net === undefined || net.length === addressBitCount(net.address)) return undefined;
  return `${net.address.text}/${net.length}`;
}
