import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Endpoint, Extensions } from '@ringdown/xml-schemas/record';
import type { Party, PartyDevices } from '../call.js';
import { uriKey } from '../call-keys.js';

/** A conference leg has two parties, a forked call a handful. */
export const PARTY_LIMIT = 64;

const NO_DEVICES: ReadonlyMap<number | undefined, PartyDevices> = new Map();

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
    const identities = sightings.map(endpointIdentity);
    for (const identity of identities.toSorted((a, b) => identityRank(a) - identityRank(b))) this.enter(identity);
    for (const [index, endpoint] of sightings.entries()) {
      const sighted = identities[index];
      const identity = sighted && this.match(sighted);
      this.found.set(endpoint, identity);
      if (identity) this.merged.set(identity, mergeEndpoints(this.merged.get(identity), endpoint));
    }
  }

  /** In the order in which the records first name them. `devices`: by {@link keyOf}. */
  parties(devices: ReadonlyMap<number | undefined, PartyDevices> = NO_DEVICES): readonly Party[] {
    return [...this.merged].map(([identity, endpoint]) => {
      return { ...endpoint, ...devices.get(this.identities.indexOf(identity)) };
    });
  }

  /** URIs and contacts of all. */
  get addresses(): readonly string[] {
    return [...this.merged.values()].flatMap(({ uri, contact }) => [uri ?? [], contact ?? []].flat());
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
    return this.found.has(endpoint) ? this.found.get(endpoint) : this.match(endpointIdentity(endpoint));
  }

  private enter(identity: Readonly<Identity>): void {
    const known = this.match(identity);
    if (known) {
      known.id ??= identity.id;
      known.epId ??= identity.epId;
      known.uri ??= identity.uri;
    } else if (identityRank(identity) < NAMELESS && this.identities.length < PARTY_LIMIT) {
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

export function mergeEndpoints(earlier: Endpoint | undefined, later: Endpoint): Endpoint {
  if (earlier === undefined) return later;
  const extensions = mergeExtensions([earlier, later]);
  return { ...earlier, ...later, ...(extensions === undefined ? {} : { further: extensions }) };
}

/** Undefined when there are none; of two values of one path, the later one. */
export function mergeExtensions(holders: readonly { readonly further?: Extensions }[]): Extensions | undefined {
  const all = holders.flatMap(({ further }) => Object.entries(further ?? {}));
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function endpointIdentity({ id, epId, uri, ip }: Endpoint): Identity {
  const named = id !== undefined || epId !== undefined || uri !== undefined;
  return {
    id: id?.toLowerCase(),
    epId: epId?.toLowerCase(),
    uri: uri === undefined ? undefined : uriKey(uri),
    ip: named ? undefined : ip,
  };
}

const NAMELESS = 4;

function identityRank({ id, epId, uri, ip }: Readonly<Identity>): number {
  if (id !== undefined) return 0;
  if (epId !== undefined) return 1;
  if (uri !== undefined) return 2;
  return ip === undefined ? NAMELESS : 3;
}
