/** The media that the feed has records of. */
export type FeedMediaType = 'audio' | 'video';

/** One medium that a party offers or accepts (RFC 8866, RFC 3264). */
export interface OfferedMedium {
  /** Text (RFC 4103) is RTP, too: it is read so that its packets do not count as audio. */
  readonly mediaType: FeedMediaType | 'text';
  /**
   * Where the party wants to receive the medium; absent if the description has none, or an invalid one. Of a party that uses
   * ICE and names no place yet, that of its preferred candidate.
   */
  readonly ip?: string;
  readonly port?: number;
  /** Where it wants to receive RTCP. */
  readonly rtcpPort?: number;
  /** The `a=rtcp` line (RFC 3605), also if `rtcpPort` is that of RTP because RTCP may be multiplexed. */
  readonly rtcp?: { readonly ip?: string; readonly port: number };
  /** ICE (RFC 8839): addresses of the party, and those that it chose of the other party. */
  readonly candidates?: readonly IceCandidate[];
  readonly remoteCandidates?: readonly MediaAddress[];
  /** It shares its addresses with all other media that have this mark (BUNDLE, RFC 9143). */
  readonly isBundled?: true;
  /** Of a party that uses ICE: what names the medium when candidates follow (RFC 8840). */
  readonly ice?: { readonly mark: string; readonly ufrag?: string };
  /** Streams that the party will send (RFC 5576). */
  readonly streams?: readonly OfferedStream[];
  readonly protocol: 'UDP' | 'TCP';
  readonly sends: boolean;
  readonly receives: boolean;
  /** Rejected, or ended: the port is zero, though not because the medium uses that of another one only (`a=bundle-only`). */
  readonly isOff: boolean;
  readonly codecs: readonly OfferedCodec[];
  /** The bandwidth that the party allows for the medium, bit/s. */
  readonly bandwidthLimit?: number;
  /** The time in each packet that the party wants to receive, milliseconds. */
  readonly packetMs?: number;
}

export interface MediaAddress {
  readonly ip: string;
  readonly port: number;
}

export interface IceCandidate extends MediaAddress {
  readonly priority: number;
  /** It is of RTP, or of RTP and RTCP; not of RTCP alone. */
  readonly isRtp: boolean;
}

export interface OfferedStream {
  readonly ssrc: number;
  readonly cname?: string;
}

export interface OfferedCodec {
  readonly payloadType: number;
  /** Encoding name and clock rate, as in `rtpmap`: `opus/48000`. */
  readonly name: string;
  readonly clockRate: number;
}
