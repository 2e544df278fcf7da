import type { TransportAddress } from '@ringdown/capture';
import type { RtpHeader } from './rtp-header.js';
import { isConstantPayload } from './payload-sample.js';
import { PayloadTypesSeen } from './payload-types-seen.js';
import type { PayloadFormat } from './payload-types.js';
import { SequenceNumbers, type Arrival, type SequenceCounts } from './sequence-numbers.js';
import type { BurstMeasures } from './loss-bursts.js';
import { StreamTiming, type TimingMeasures } from './stream-timing.js';
import { WorstInterval } from './worst-interval.js';

/** The most packets that may be missing between the first two of a stream. */
const MAX_FIRST_STEP = 16;

/** One RTP packet as it was captured. */
export interface RtpPacket {
  readonly header: RtpHeader;
  readonly bytes: Buffer;
  /** Capture time, milliseconds. */
  readonly at: number;
  /** Differentiated services code point of the IP packet, if the capture shows it. */
  readonly dscp?: number;
}

export interface StreamMeasures extends SequenceCounts, TimingMeasures {
  readonly bursts: BurstMeasures;
  readonly worstLossRate: number | undefined;
  readonly bytes: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The encoding of most packets; undefined if no description names it. */
  readonly codec: PayloadFormat | undefined;
  readonly payloadType: number;
  /** Packets of comfort noise, of key presses, and whose bytes are all equal (G.711). */
  readonly comfortNoisePackets: number;
  readonly eventPackets: number;
  readonly constantPackets: number;
  /** Of the most recent packet. */
  readonly dscp: number | undefined;
}

/** One stream: the packets with one SSRC from one address to another. Uses constant memory for any number of packets. */
export class RtpStream {
  private sequence: SequenceNumbers;
  private readonly types = new PayloadTypesSeen();
  private timing: StreamTiming;
  private worst = new WorstInterval();
  private packets = 0;
  private bytes = 0;
  private constantPackets = 0;
  private firstAt: number;
  private latestAt: number;
  private dscp: number | undefined;
  private valid = false;
  /** The stream that seems to go on with its numbers. */
  successor: RtpStream | undefined;

  constructor(
    readonly ssrc: number,
    readonly source: TransportAddress,
    readonly destination: TransportAddress,
    first: RtpPacket,
  ) {
    this.sequence = new SequenceNumbers(first.header.sequence);
    this.timing = new StreamTiming(first.at);
    this.firstAt = first.at;
    this.latestAt = first.at;
    this.count(first, 'in order');
  }

  /**
   * Whether this is a stream, and not something else that looks like RTP: a second packet followed the first one. (RFC 3550,
   * A.1, requires the very next number; addresses and SSRC are equal already here, so that a loss does no harm.)
   */
  get isValid(): boolean {
    return this.valid;
  }

  /** Its numbers continue those of another stream, or another one continues its own. */
  prove(): void {
    this.valid = true;
  }

  /** A packet of another SSRC has this number, so that it is not lost. */
  excuse(sequence: number): void {
    this.sequence.excuse(sequence);
  }

  get lastSequence(): number {
    return this.sequence.last;
  }

  get lastAt(): number {
    return this.latestAt;
  }

  /** Of most packets. */
  get payloadType(): number {
    return this.types.main;
  }

  get packetCount(): number {
    return this.packets;
  }

  add(packet: RtpPacket): void {
    const arrival = this.sequence.add(packet.header.sequence);
    if (!this.valid && !this.validate(packet, arrival)) return;
    if (arrival === 'out of range') return;
    this.count(packet, arrival);
    if (this.worst.isDue(packet.at)) this.worst.add(packet.at, this.sequence.decided);
  }

  /** The session description names the payload types. */
  describe(formats: ReadonlyMap<number, PayloadFormat>): void {
    this.types.describe(formats);
    this.timing.describe(formats);
  }

  /** All of the stream so far; `isOver`: missing packets will not arrive any more. */
  measures(isOver: boolean): StreamMeasures {
    if (isOver) this.sequence.end();
    return {
      ...this.sequence.counts,
      ...this.timing.measures,
      ...this.types.measures,
      bursts: this.sequence.burstMeasures,
      worstLossRate: this.worst.lossRate(this.sequence.decided),
      bytes: this.bytes,
      firstAt: this.firstAt,
      lastAt: this.latestAt,
      constantPackets: this.constantPackets,
      dscp: this.dscp,
    };
  }

  /** Starts again if the second packet does not follow the first one. */
  private validate(packet: RtpPacket, arrival: Arrival): boolean {
    const { expected } = this.sequence.counts;
    this.valid = arrival !== 'duplicate' && arrival !== 'out of range' && expected <= MAX_FIRST_STEP;
    if (this.valid || arrival === 'duplicate') return this.valid;
    this.sequence = new SequenceNumbers(packet.header.sequence);
    this.timing = new StreamTiming(packet.at);
    this.worst = new WorstInterval();
    [this.packets, this.bytes, this.constantPackets, this.firstAt] = [0, 0, 0, packet.at];
    this.count(packet, 'in order');
    return false;
  }

  private count({ header, bytes, at, dscp }: RtpPacket, arrival: Arrival): void {
    const { payloadType, payloadStart, payloadEnd } = header;
    this.packets++;
    this.bytes += bytes.length;
    this.latestAt = Math.max(this.latestAt, at);
    if (dscp !== undefined) this.dscp = dscp;
    const kind = this.types.add(payloadType, payloadEnd - payloadStart);
    if (kind === 'samples' && arrival !== 'duplicate' && isConstantPayload(bytes, payloadStart, payloadEnd)) {
      this.constantPackets++;
    }
    this.timing.add(header, at, { kind, arrival });
  }
}
