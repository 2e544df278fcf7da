import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Endpoint } from '@ringdown/xml-schemas/record';
import type { Party, PartyDevices } from '../call.js';
import {
  endpointIdentity,
  identityRank,
  matchingIdentity,
  NAMELESS,
  type EndpointIdentity,
} from './endpoint-identity.js';
import { mergeEndpoints, withBoundedExtensions } from './merge-endpoints.js';

/** A conference leg has two parties, a forked call a handful. */
export const PARTY_LIMIT = 64;

const NO_DEVICES: ReadonlyMap<number | undefined, PartyDevices> = new Map();

/**
 * The endpoints of one call, matched by dialog tag, else by endpoint id, else by URI (diagnostics-feed.md, 3.5).
 * Different records contain different data about the same endpoint: the table merges them, and a known value is never
 * overwritten by an absent one.
 */
export class PartyTable {
  private readonly identities: EndpointIdentity[] = [];
  private readonly merged = new Map<EndpointIdentity, Endpoint>();
  /** Of each sighting: the same endpoints are looked up again and again. */
  private readonly found = new Map<Endpoint, EndpointIdentity | undefined>();

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
    if (known === undefined) return withBoundedExtensions(endpoint);
    const { id, epId, uri, contact, ip, inside, vpn, connection } = known;
    return mergeEndpoints(withoutAbsent({ id, epId, uri, contact, ip, inside, vpn, connection }), endpoint);
  }

  private find(endpoint: Endpoint): EndpointIdentity | undefined {
    return this.found.has(endpoint) ? this.found.get(endpoint) : this.match(endpointIdentity(endpoint));
  }

  private enter(identity: Readonly<EndpointIdentity>): void {
    const known = this.match(identity);
    if (known) {
      known.id ??= identity.id;
      known.epId ??= identity.epId;
      known.uri ??= identity.uri;
    } else if (identityRank(identity) < NAMELESS && this.identities.length < PARTY_LIMIT) {
      this.identities.push({ ...identity });
    }
  }

  private match(wanted: Readonly<EndpointIdentity>): EndpointIdentity | undefined {
    return this.identities[matchingIdentity(wanted, this.identities)];
  }
}
