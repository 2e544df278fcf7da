import type { TransportAddress } from '@ringdown/capture';
import { addressKey, hostPairKey, knownAddresses, type MediaPacket } from '../placement/media-packet.js';
import { EndedStreams } from './ended-streams.js';
import { readRtpHeader } from './rtp-header.js';
import { RtpStream } from './rtp-stream.js';
import { StreamSuccession } from './stream-succession.js';
import { UncountedRtpCounts, type UncountedRtp } from './uncounted-rtp.js';

/** A datagram that seems to be RTP. */
export interface CapturedRtp {
  readonly source: TransportAddress;
  readonly destination: TransportAddress;
  readonly payload: Buffer;
  readonly dscp?: number;
}

export interface StreamLimits {
  /** Streams of a single packet, which may be anything. */
  readonly unproven: number;
  /** Streams that no session description has named yet. */
  readonly unclaimed: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { unproven: 1_000, unclaimed: 4_000 };

/**
 * All streams of RTP, by SSRC and addresses. A stream may begin before the call that it belongs to is known: it is kept until
 * the call claims it. Memory is bounded: the oldest streams that no call has claimed are forgotten; those of calls
 * stay until they are released.
 */
export class RtpStreams {
  /** SSRCs are random, so that few streams share one. */
  private readonly bySsrc = new Map<number, RtpStream[]>();
  private readonly unproven = new Set<RtpStream>();
  private readonly unclaimed = new Set<RtpStream>();
  private readonly unclaimedAt = new Map<string, Set<RtpStream>>();
  private readonly ended = new EndedStreams();
  private readonly succession = new StreamSuccession();
  private readonly counted = new UncountedRtpCounts();
  private forgottenStreams = 0;

  /** `onStream`: a stream has proved to be one; returns whether a call has claimed it. */
  constructor(
    private readonly onStream: (stream: RtpStream) => boolean,
    private readonly limits: StreamLimits = DEFAULT_STREAM_LIMITS,
  ) {}

  /** How many streams were forgotten because there were too many, also those of a single packet. */
  get forgotten(): number {
    return this.forgottenStreams;
  }

  /** Packets that count for no call so far; those of streams that wait for their call may count later. `reasonOf`: why a call has not claimed a stream. */
  uncounted(reasonOf: (stream: RtpStream) => UncountedRtp): Readonly<Record<UncountedRtp, number>> {
    const counts = new UncountedRtpCounts(this.counted);
    for (const stream of this.unclaimed) counts.add(reasonOf(stream), stream.packetCount);
    for (const stream of this.unproven) counts.add('single packets', stream.packetCount);
    return counts.counts;
  }

  /** A call has claimed the stream, and cannot count it. */
  notCounted(stream: RtpStream, reason: UncountedRtp): void {
    this.counted.add(reason, stream.packetCount);
  }

  get size(): number {
    return [...this.bySsrc.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** `at`: capture time, milliseconds. Returns false if the bytes are not RTP. */
  add({ source, destination, payload: bytes, dscp }: CapturedRtp, at: number): boolean {
    const header = readRtpHeader(bytes);
    if (header === undefined) return false;
    const packet = dscp === undefined ? { header, bytes, at } : { header, bytes, at, dscp };
    const known = this.find(header.ssrc, source, destination);
    if (known === undefined) {
      if (this.ended.continues(header, source, destination, at)) {
        this.counted.add('after the call', 1);
        return true;
      }
      this.begin(new RtpStream(header.ssrc, source, destination, packet));
      return true;
    }
    known.add(packet);
    if (known.successor) this.succession.goesOn(known);
    if (known.isValid) this.offer(known);
    return true;
  }

  /**
   * Offers the streams from or to an address, or between two hosts, that no call has claimed. `key`: as `addressKey` or
   * `hostPairKey` writes it.
   */
  claim(key: string, claims: (stream: RtpStream) => boolean): void {
    for (const stream of this.unclaimedAt.get(key) ?? []) {
      if (claims(stream)) this.removeUnclaimed(stream);
    }
  }

  /** Whether streams from or to an address, or between two hosts, wait for their call. `key`: as for `claim`. */
  hasUnclaimed(key: string): boolean {
    return this.unclaimedAt.has(key);
  }

  /** The call is over. What the stream still sends is of no other call. */
  release(stream: RtpStream): void {
    this.remove(stream);
    this.ended.add(stream);
  }

  private find(ssrc: number, source: TransportAddress, destination: TransportAddress): RtpStream | undefined {
    const streams = this.bySsrc.get(ssrc);
    if (streams === undefined) return undefined;
    for (const stream of streams) {
      if (isSame(stream.source, source) && isSame(stream.destination, destination)) return stream;
    }
    return undefined;
  }

  private begin(stream: RtpStream): void {
    this.keep(stream);
    for (const proved of this.succession.add(stream)) this.offer(proved);
  }

  /** Once, when the stream has proved to be one. */
  private offer(stream: RtpStream): void {
    if (this.unproven.delete(stream) && !this.onStream(stream)) this.keepUnclaimed(stream);
  }

  private keep(stream: RtpStream): void {
    const others = this.bySsrc.get(stream.ssrc);
    if (others) others.push(stream);
    else this.bySsrc.set(stream.ssrc, [stream]);
    this.unproven.add(stream);
    if (this.unproven.size <= this.limits.unproven) return;
    const [oldest] = this.unproven;
    if (oldest !== undefined) this.forgetStream(oldest);
  }

  private keepUnclaimed(stream: RtpStream): void {
    this.unclaimed.add(stream);
    for (const key of streamPlacementKeys(stream)) {
      const known = this.unclaimedAt.get(key);
      if (known) known.add(stream);
      else this.unclaimedAt.set(key, new Set([stream]));
    }
    if (this.unclaimed.size <= this.limits.unclaimed) return;
    const [oldest] = this.unclaimed;
    if (oldest !== undefined) this.forgetStream(oldest);
  }

  private forgetStream(stream: RtpStream): void {
    this.forgottenStreams++;
    this.counted.add('too many streams', stream.packetCount);
    this.remove(stream);
  }

  private remove(stream: RtpStream): void {
    this.succession.remove(stream);
    this.unproven.delete(stream);
    this.removeUnclaimed(stream);
    const others = this.bySsrc.get(stream.ssrc)?.filter((each) => each !== stream) ?? [];
    if (others.length > 0) this.bySsrc.set(stream.ssrc, others);
    else this.bySsrc.delete(stream.ssrc);
  }

  private removeUnclaimed(stream: RtpStream): void {
    if (!this.unclaimed.delete(stream)) return;
    for (const key of streamPlacementKeys(stream)) {
      const streams = this.unclaimedAt.get(key);
      streams?.delete(stream);
      if (streams?.size === 0) this.unclaimedAt.delete(key);
    }
  }
}

function streamPlacementKeys({ source, destination }: RtpStream): readonly string[] {
  return [addressKey(source), addressKey(destination), hostPairKey(source.ip, destination.ip)];
}

function isSame(one: TransportAddress, other: TransportAddress): boolean {
  return one.port === other.port && one.ip === other.ip;
}

/** What a stream shows about its sender. */
export function streamPacket({ source, destination, ssrc }: RtpStream): MediaPacket {
  return { ...knownAddresses({ source, destination }), ssrcs: [ssrc], reportedSsrcs: [], cnames: [] };
}
