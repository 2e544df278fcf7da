import { isKnownIp, type TransportAddress } from '@ringdown/capture';

/** What a packet of RTP or RTCP, or the report of a phone, shows about its sender. */
export interface MediaPacket {
  readonly source?: TransportAddress;
  readonly destination?: TransportAddress;
  /** Streams that its sender sends. */
  readonly ssrcs: readonly number[];
  /** Streams that its sender receives, because it reports on them. */
  readonly reportedSsrcs: readonly number[];
  /** Names of the sender in SDES (RFC 3550, 6.5.1). */
  readonly cnames: readonly string[];
}

/** The addresses of a packet that its capture agent knows, perhaps without ports: the others would be the same in all packets. */
export function knownAddresses(packet: {
  readonly source: TransportAddress;
  readonly destination: TransportAddress;
}): Pick<MediaPacket, 'source' | 'destination'> {
  const { source, destination } = packet;
  return {
    ...(isKnownIp(source.ip) ? { source } : {}),
    ...(isKnownIp(destination.ip) ? { destination } : {}),
  };
}

/** Key of an address in tables. Captured addresses are canonical (RFC 5952). */
export function addressKey({ ip, port }: TransportAddress): string {
  return `${ip} ${port}`;
}

/** Key of two media addresses that send to each other. */
export function mediaPairKey(one: TransportAddress, other: TransportAddress): string {
  return [addressKey(one), addressKey(other)].toSorted().join(' ');
}

/** Key of two hosts that send to each other. */
export function hostPairKey(one: string, other: string): string {
  return [one, other].toSorted().join(' ');
}
