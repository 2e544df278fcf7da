import { rejectParameter } from '@ringdown/web-server';
import { isMark } from '@ringdown/identity-hiding';
import type { FastifyRequest } from 'fastify';
import { callKey, frontEndKey, linkKey, partyKey } from '../calls/call-keys.js';
import {
  CALL_STATES,
  COVERAGES,
  END_REASONS,
  ENDED_BY,
  MEDIA_PATHS,
  VERDICTS,
  type CallState,
  type Coverage,
  type EndedBy,
  type EndReason,
  type MediaPath,
  type Verdict,
} from '../calls/call.js';
import { subnet, widthOf } from '../calls/ip-address.js';
import type { SiteSubnet } from '../calls/load-sites.js';
import { searchKey, subnetSearchKey, type SearchKind } from '../calls/search-keys.js';
import { placesOf, type Place } from '../calls/site-places.js';
import { PATH_KINDS, pathKey } from '../calls/path-keys.js';
import type { CallFilter } from '../store/call-filter.js';
import { isShown } from './identities.js';
import type { NameSearches } from './name-searches.js';
import { Moment, Numbers, SearchWords, ShortText, SomeOf } from './query-fields.js';
import { setupOf, SetupTimesQuery } from './setup-times-query.js';

const MAX_NAME = 255;
const MAX_ID = 512;

/** Parameters that select calls, each on its own or in any combination. */
export class CallFilterQuery extends SetupTimesQuery {
  @SearchWords()
  q?: readonly string[];

  @SomeOf(CALL_STATES)
  state?: CallState[];

  @SomeOf(VERDICTS)
  verdict?: Verdict[];

  @SomeOf(COVERAGES)
  coverage?: Coverage[];

  @ShortText('the name of one front end', MAX_NAME)
  frontEnd?: string;

  @ShortText('the name of one pool', MAX_NAME)
  pool?: string;

  @ShortText(
    'one SIP address like sip:anna@example.test',
    MAX_NAME,
    (text) => /^\S+$/.test(text) && partyKey(text) !== '',
  )
  user?: string;

  @ShortText('an IP address, or a subnet like 10.1.0.0/16', MAX_NAME, (text) => subnet(text) !== undefined)
  address?: string;

  @ShortText('one CallId', MAX_ID)
  callId?: string;

  @ShortText('one id of a conversation', MAX_ID)
  conversationId?: string;

  @ShortText('one id of a conference', MAX_ID)
  conferenceId?: string;

  @ShortText('one correlation id', MAX_ID)
  correlationId?: string;

  @Numbers()
  errorCode?: string[];

  @Numbers()
  diagnosticsCode?: string[];

  @ShortText('the name of one site', MAX_NAME)
  site?: string;

  @ShortText('one medium like audio', MAX_NAME)
  medium?: string;

  @ShortText('the name of one codec', MAX_NAME)
  codec?: string;

  @ShortText('one kind of connection', MAX_NAME)
  connection?: string;

  @ShortText('the name of one user agent', MAX_NAME)
  userAgent?: string;

  @SomeOf(END_REASONS)
  endReason?: EndReason[];

  @SomeOf(ENDED_BY)
  endedBy?: EndedBy[];

  @Numbers()
  endCode?: string[];

  @SomeOf(MEDIA_PATHS)
  path?: MediaPath[];

  @ShortText('one microphone or loudspeaker', MAX_ID)
  device?: string;

  @ShortText('one operating system', MAX_ID)
  os?: string;

  @ShortText('the address of one relay', MAX_ID)
  relay?: string;

  @ShortText('the name of one trunk', MAX_ID)
  trunk?: string;

  @ShortText('one id of a tenant', MAX_ID)
  tenantId?: string;

  @ShortText('the name of one wireless network', MAX_ID)
  ssid?: string;

  @ShortText('one id of an access point', MAX_ID)
  bssid?: string;

  @ShortText('one MAC address', MAX_ID)
  mac?: string;

  @Moment()
  from?: Date;

  @Moment()
  to?: Date;
}

/** Makes filters from the parameters. `sites`: the subnets of each site. */
export class CallFilters {
  constructor(
    private readonly sites: readonly SiteSubnet[],
    private readonly nameSearches: NameSearches,
  ) {}

  /**
   * Checks what no parameter shows by itself. Throws an {@link InterfaceError} when the operator may not search for
   * that, and a {@link Fault} when `from` is not before `to` or the site does not exist.
   */
  of(query: CallFilterQuery, request: FastifyRequest): CallFilter {
    this.nameSearches.admit(request, query);
    const { state, verdict, callId, address, from, to } = query;
    if (from && to && from >= to) rejectParameter('from', 'from must be before to');
    const places = query.site === undefined ? undefined : this.placesOf(query.site);
    const nets = places?.map(({ net }) => net) ?? [];
    return {
      states: state,
      verdicts: verdict,
      from,
      to,
      callKey: callId === undefined || isMark(callId) ? undefined : callKey(callId),
      words: query.q,
      searchesIdentities: query.q === undefined ? undefined : isShown(request),
      searchKeys: [...searchKeysOf(query), ...anyOf(address === undefined ? [] : [address]), ...anyOf(nets)],
      subnet: address === undefined ? undefined : networkOf(address),
      setup: setupOf(query),
      places,
    };
  }

  private placesOf(site: string): readonly Place[] {
    const places = placesOf(this.sites, site);
    return places ?? rejectParameter('site', 'site must be one of those in SITES_FILE');
  }
}

function searchKeysOf(query: CallFilterQuery): readonly (readonly string[])[] {
  const wanted: readonly (readonly [SearchKind, readonly string[] | undefined])[] = [
    ['callId', query.callId !== undefined && isMark(query.callId) ? [query.callId] : undefined],
    ['frontEnd', one(query.frontEnd, frontEndKey)],
    ['pool', one(query.pool, frontEndKey)],
    ['user', one(query.user, partyKey)],
    ['conversation', one(query.conversationId, linkKey)],
    ['conference', one(query.conferenceId, linkKey)],
    ['correlation', one(query.correlationId, linkKey)],
    ['error', query.errorCode?.map(withoutZeros)],
    ['diagnostics', query.diagnosticsCode?.map(withoutZeros)],
    ['coverage', query.coverage],
    ['medium', one(query.medium)],
    ['codec', one(query.codec)],
    ['connection', one(query.connection)],
    ['userAgent', one(query.userAgent)],
    ['endReason', query.endReason],
    ['endedBy', query.endedBy],
    ['endCode', query.endCode?.map(withoutZeros)],
    ['path', query.path],
    ...PATH_KINDS.map((kind) => [kind, one(query[kind], pathKey)] as const),
  ];
  return wanted.flatMap(([kind, keys]) => (keys === undefined ? [] : [keys.map((key) => searchKey(kind, key))]));
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

function one(text: string | undefined, keyOf = (key: string): string => key): readonly string[] | undefined {
  return text === undefined ? undefined : [keyOf(text)];
}

function withoutZeros(digits: string): string {
  return String(Number(digits));
}

/** Only when the search key does not cover it exactly. */
function networkOf(text: string): string | undefined {
  const net = subnet(text);
  if (net === undefined || net.length === widthOf(net.address)) return undefined;
  return `${net.address.text}/${net.length}`;
}
