import { withoutAbsent, type Endpoint } from '@ringdown/xml-schemas';
import type { Party } from './call.js';
import { uriKey } from './call-keys.js';

/** A conference leg has two parties, a forked call a handful. */
export const PARTY_LIMIT = 64;

/** The identity in one sighting, or of a party as far as it is known. */
interface Identity {
  id: string | undefined;
  epId: string | undefined;
  uri: string | undefined;
  /** Only for endpoints without any other identity. */
  ip: string | undefined;
}

/**
 * The endpoints of one call, matched by dialog tag, else by endpoint id, else by URI (diagnostics-feed.md, 3.5).
 * Different records contain different data about the same endpoint: the table merges them, and a known value is never
 * overwritten by an absent one.
 */
export class PartyTable {
  private readonly identities: Identity[] = [];
  private readonly merged = new Map<Identity, Endpoint>();
  /** Of each sighting: the same endpoints are looked up again and again. */
  private readonly found = new Map<Endpoint, Identity | undefined>();

  /** `sightings` in the order of the records: when two contradict each other, the later one wins. */
  constructor(sightings: readonly Endpoint[]) {
    // The most complete ones come first, so that the less complete ones find their match regardless of their order.
    const identities = sightings.map(identityOf);
    for (const identity of identities.toSorted((a, b) => rankOf(a) - rankOf(b))) this.enter(identity);
    for (const [index, endpoint] of sightings.entries()) {
      const sighted = identities[index];
      const identity = sighted && this.match(sighted);
      this.found.set(endpoint, identity);
      if (identity) this.merged.set(identity, mergeEndpoints(this.merged.get(identity), endpoint));
    }
  }

  /** In the order in which the records first name them. */
  get parties(): readonly Party[] {
    return [...this.merged.values()].map((endpoint) => partyOf(endpoint));
  }

  /** Identifies one party inside this table. Undefined when the endpoint is not known or absent. */
  keyOf(endpoint: Endpoint | undefined): number | undefined {
    const identity = endpoint && this.find(endpoint);
    return identity && this.identities.indexOf(identity);
  }

  /** The data of `endpoint` here, completed with its identity and address: addresses differ from stream to stream. */
  complete(endpoint: Endpoint | undefined): Endpoint | null {
    if (endpoint === undefined) return null;
    const identity = this.find(endpoint);
    const known = identity && this.merged.get(identity);
    if (known === undefined) return endpoint;
    const { id, epId, uri, contact, ip, inside, vpn, connection } = known;
    return mergeEndpoints(withoutAbsent({ id, epId, uri, contact, ip, inside, vpn, connection }), endpoint);
  }

  private find(endpoint: Endpoint): Identity | undefined {
    return this.found.has(endpoint) ? this.found.get(endpoint) : this.match(identityOf(endpoint));
  }

  private enter(identity: Readonly<Identity>): void {
    const known = this.match(identity);
    if (known) {
      known.id ??= identity.id;
      known.epId ??= identity.epId;
      known.uri ??= identity.uri;
    } else if (rankOf(identity) < NAMELESS && this.identities.length < PARTY_LIMIT) {
      this.identities.push({ ...identity });
    }
  }

  private match(wanted: Readonly<Identity>): Identity | undefined {
    return this.identities.find((known) => {
      if (wanted.id !== undefined && known.id !== undefined) return wanted.id === known.id;
      if (wanted.epId !== undefined && known.epId !== undefined) return wanted.epId === known.epId;
      if (wanted.uri !== undefined && known.uri !== undefined) return wanted.uri === known.uri;
      return wanted.ip !== undefined && wanted.ip === known.ip;
    });
  }
}

/** Ports, relays and the like belong to a stream. */
function partyOf(endpoint: Endpoint): Party {
  const { port: _port, relay: _relay, relayPort: _relayPort, ...rest } = endpoint;
  const { reflexivePort: _reflexivePort, hostPort: _hostPort, ...party } = rest;
  return party;
}

export function mergeEndpoints(earlier: Endpoint | undefined, later: Endpoint): Endpoint {
  if (earlier === undefined) return later;
  const extensions = { ...earlier.further, ...later.further };
  return { ...earlier, ...later, ...(Object.keys(extensions).length === 0 ? {} : { further: extensions }) };
}

function identityOf({ id, epId, uri, ip }: Endpoint): Identity {
  const named = id !== undefined || epId !== undefined || uri !== undefined;
  return {
    id: id?.toLowerCase(),
    epId: epId?.toLowerCase(),
    uri: uri === undefined ? undefined : uriKey(uri),
    ip: named ? undefined : ip,
  };
}

const NAMELESS = 4;

function rankOf({ id, epId, uri, ip }: Readonly<Identity>): number {
  if (id !== undefined) return 0;
  if (epId !== undefined) return 1;
  if (uri !== undefined) return 2;
  return ip === undefined ? NAMELESS : 3;
}
