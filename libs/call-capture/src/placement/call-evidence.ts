import { isKnownAddress, type TransportAddress } from '@ringdown/capture';
import { otherSide, type Description, type Side } from '../media/agreed-media.js';
import { isPrivate } from '../sip/public-host.js';
import type { MediaAddress, OfferedMedium } from '../sip/offered-medium.js';
import { addressKey, hostPairKey, type MediaPacket } from './media-packet.js';
import { ANY_PLACE, SideTable } from './side-table.js';

/** Keys that identify the call of a packet among all calls. */
export interface NewKeys {
  readonly named: readonly string[];
  readonly latched: readonly string[];
  /** Ports of session descriptions at the public addresses of phones behind NAT. */
  readonly natted: readonly string[];
  readonly streams: readonly string[];
  /** The public addresses of both sides, if both are behind NAT. */
  readonly hostPairs: readonly string[];
}

type KeyLists = { -readonly [Kind in keyof NewKeys]: string[] };

const NONE: NewKeys = { named: [], latched: [], natted: [], streams: [], hostPairs: [] };
const ADDRESS_LIMIT = 64;
const STREAM_LIMIT = 32;
const NAME_LIMIT = 16;

/**
 * What is known of the media addresses and streams of one call. A session description counts for the side that it
 * describes at every hop where it is captured: a relay that rewrites it speaks for that side at the address that it
 * writes, and receives there what the other side sends.
 */
export class CallEvidence {
  /** In session descriptions. */
  readonly named = new SideTable(ADDRESS_LIMIT);
  readonly candidates = new SideTable(ADDRESS_LIMIT);
  /** Seen in packets. */
  readonly latched = new SideTable(ADDRESS_LIMIT);
  readonly hosts = new SideTable(ADDRESS_LIMIT);
  /** Most NAT keeps the port. */
  readonly natted = new SideTable(ADDRESS_LIMIT);
  /** Senders of streams, by SSRC. */
  readonly streams = new SideTable(STREAM_LIMIT);
  readonly cnames = new SideTable(NAME_LIMIT);
  /** SSRCs that their sender itself has shown, in packets or descriptions, and not only the report of a receiver. */
  private readonly sources = new SideTable(STREAM_LIMIT);
  private readonly sidesWithSources = new Set<Side>();
  /** Media of each payload type, if there are several. */
  private formats: Map<number, ReadonlySet<number>> | undefined;
  private newKeys: KeyLists | undefined;
  /** Addresses that were named behind a border controller with tags of its own; of most calls there are none. */
  private hops: Map<string, number> | undefined;
  /** That of the caller's own dialog, as `addDescription` counts. */
  ownHop = 0;
  private publicHosts: Partial<Record<Side, string>> | undefined;

  /** `side`: the party whose media are described. `hop`: behind how many border controllers with tags of their own, of those that were captured first. */
  addDescription(description: Description, side: Side, hop = 0): void {
    for (const medium of description) if (medium && !medium.isOff) this.addHop(medium, hop);
    const bundle = placesOfBundle(description);
    if (description.filter((medium) => medium !== undefined).length > 1) this.addFormats(description);
    for (const [place, medium] of description.entries()) {
      if (!medium) continue;
      const own = onlyPlace(place);
      this.addStreams(medium, side, own);
      // In a bundle the port of a medium may be zero: it uses that of the first one.
      if (!medium.isOff) this.addMedium(medium, side, medium.isBundled ? bundle : own);
    }
  }

  /** Candidates that followed a description (RFC 8840). */
  addCandidates(candidates: readonly MediaAddress[], side: Side): void {
    for (const candidate of candidates) this.addCandidate(candidate, side, ANY_PLACE);
  }

  /**
   * The sender of the description appears at `ip`: with other, private addresses in it, it is behind NAT; with none, ICE has not found
   * its candidates yet.
   */
  addPublicHost(ip: string, description: Description, side: Side): void {
    const hidden = [...description.entries()].filter(([, medium]) => isHidden(medium, ip));
    if (hidden.length === 0) return;
    for (const [place, medium] of hidden) {
      for (const port of [medium?.port, medium?.rtcpPort]) this.addNatted(ip, port, side, onlyPlace(place));
    }
    const hosts = (this.publicHosts ??= {});
    hosts[side] ??= ip;
    this.hosts.add(ip, side, ANY_PLACE);
    const other = hosts[otherSide(side)];
    if (other !== undefined && other !== ip) this.added('hostPairs', hostPairKey(ip, other));
  }

  /** Behind how many border controllers, each with streams of its own, a packet was seen. */
  hopOf({ source, destination }: Pick<MediaPacket, 'source' | 'destination'>): number {
    const { hops } = this;
    if (hops === undefined) return 0;
    const keys = [source, destination].flatMap((end) => (end ? addressKey(end) : []));
    const known = keys.flatMap((key) => hops.get(key) ?? (this.named.has(key) ? 0 : []));
    return known.length === 0 ? 0 : Math.max(...known) - this.ownHop;
  }

  /** Whether a session description or a candidate names the address. `key`: as `addressKey` writes it. */
  names(key: string): boolean {
    return this.named.has(key) || this.candidates.has(key);
  }

  /** The medium of a stream, by the index of its `m=` line. */
  placeOfStream(ssrc: number): number | undefined {
    const [owner] = this.streams.ownerOf(`${ssrc}`);
    const [place, ...others] = owner?.places ?? [];
    return others.length === 0 ? place : undefined;
  }

  /** Whether a side was seen to use an SSRC; undefined if none of its SSRCs was seen. */
  isSource(ssrc: number, side: Side): boolean | undefined {
    if (!this.sidesWithSources.has(side)) return undefined;
    return this.sources.sideOf(`${ssrc}`).some((owner) => owner.side === side);
  }

  /** The media that may have this payload type, by place; none: it is in no description. */
  placesOfFormat(payloadType: number): ReadonlySet<number> {
    return this.formats?.get(payloadType) ?? ANY_PLACE;
  }

  /** Latches addresses, SSRCs and names of a packet. `place`: of its medium, if that is certain. */
  learn({ source, destination, ...packet }: MediaPacket, sender: Side, place?: number): void {
    const receiver = otherSide(sender);
    const places = place === undefined ? ANY_PLACE : onlyPlace(place);
    if (source) this.latch(source, sender, places);
    if (destination) this.latch(destination, receiver, places);
    for (const ssrc of packet.ssrcs) this.addSource(ssrc, sender, places);
    for (const ssrc of packet.reportedSsrcs) this.addStream(ssrc, receiver, places);
    for (const name of packet.cnames) this.cnames.add(name, sender, ANY_PLACE);
  }

  /** The keys since the last call of this function. */
  drainNewKeys(): NewKeys {
    const keys = this.newKeys ?? NONE;
    this.newKeys = undefined;
    return keys;
  }

  /** Payload types are below 128, places below 16. */
  private addFormats(description: Description): void {
    const formats = (this.formats ??= new Map<number, ReadonlySet<number>>());
    for (const [place, medium] of description.entries()) {
      for (const { payloadType } of medium?.codecs ?? []) {
        const own = onlyPlace(place);
        formats.set(payloadType, formats.get(payloadType)?.union(own) ?? own);
      }
    }
  }

  /** The first hop that names an address has it. */
  private addHop({ ip, port, rtcpPort }: OfferedMedium, hop: number): void {
    if (ip === undefined || (hop === 0 && this.hops === undefined)) return;
    for (const own of [port, rtcpPort]) {
      if (own === undefined) continue;
      const key = addressKey({ ip, port: own });
      const known = this.hops?.get(key) ?? (this.named.has(key) ? 0 : hop);
      if (this.hops === undefined || this.hops.size < ADDRESS_LIMIT || this.hops.has(key)) {
        (this.hops ??= new Map<string, number>()).set(key, Math.min(known, hop));
      }
    }
  }

  private addMedium(medium: OfferedMedium, side: Side, places: ReadonlySet<number>): void {
    const { ip, port, rtcpPort, rtcp, candidates = [], remoteCandidates = [] } = medium;
    this.addNamed(ip, port, side, places);
    this.addNamed(ip, rtcpPort, side, places);
    if (rtcp) this.addNamed(rtcp.ip ?? ip, rtcp.port, side, places);
    for (const candidate of candidates) this.addCandidate(candidate, side, places);
    for (const candidate of remoteCandidates) this.addCandidate(candidate, otherSide(side), places);
  }

  private addStreams({ streams = [] }: OfferedMedium, side: Side, places: ReadonlySet<number>): void {
    for (const { ssrc, cname } of streams) {
      this.addSource(ssrc, side, places);
      if (cname !== undefined) this.cnames.add(cname, side, ANY_PLACE);
    }
  }

  private addNamed(ip: string | undefined, port: number | undefined, side: Side, places: ReadonlySet<number>): void {
    if (ip === undefined || port === undefined) return;
    const key = addressKey({ ip, port });
    if (this.named.add(key, side, places)) this.added('named', key);
    this.hosts.add(ip, side, places);
  }

  private addNatted(ip: string, port: number | undefined, side: Side, places: ReadonlySet<number>): void {
    if (port === undefined) return;
    const key = addressKey({ ip, port });
    if (this.natted.add(key, side, places)) this.added('natted', key);
  }

  private addCandidate(address: TransportAddress, side: Side, places: ReadonlySet<number>): void {
    const key = addressKey(address);
    if (this.candidates.add(key, side, places)) this.added('named', key);
  }

  private latch(address: TransportAddress, side: Side, places: ReadonlySet<number>): void {
    const key = addressKey(address);
    if (this.named.has(key) || !isKnownAddress(address)) return;
    if (this.latched.add(key, side, places)) this.added('latched', key);
    this.hosts.add(address.ip, side, places);
  }

  private addSource(ssrc: number, side: Side, places: ReadonlySet<number>): void {
    this.addStream(ssrc, side, places);
    if (ssrc === 0) return;
    this.sources.add(`${ssrc}`, side, places);
    this.sidesWithSources.add(side);
  }

  /** Zero is what agents write that do not know the SSRC. */
  private addStream(ssrc: number, side: Side, places: ReadonlySet<number>): void {
    if (ssrc !== 0 && this.streams.add(`${ssrc}`, side, places)) this.added('streams', `${ssrc}`);
  }

  private added(kind: keyof NewKeys, key: string): void {
    this.newKeys ??= { named: [], latched: [], natted: [], streams: [], hostPairs: [] };
    this.newKeys[kind].push(key);
  }
}

/** Nearly all media are at the first places, so that calls can share these sets. */
const FIRST_PLACES: readonly ReadonlySet<number>[] = [0, 1, 2, 3].map((place) => new Set([place]));

function onlyPlace(place: number): ReadonlySet<number> {
  return FIRST_PLACES[place] ?? new Set([place]);
}

function placesOfBundle(description: Description): ReadonlySet<number> {
  const bundled = description.flatMap((medium, place) => (medium?.isBundled ? place : []));
  return bundled.length === 0 ? ANY_PLACE : new Set(bundled);
}

/** Whether a medium of a sender that appears at `ip` has a private address, or none that is known. */
function isHidden(medium: OfferedMedium | undefined, ip: string): boolean {
  if (!medium || medium.isOff) return false;
  if (medium.ip === undefined) return medium.ice !== undefined && medium.candidates === undefined;
  return medium.ip !== ip && isPrivate(medium.ip);
}
