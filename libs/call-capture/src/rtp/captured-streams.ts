import { otherSide, type AgreedMedium, type Side } from '../media/agreed-media.js';
import type { CallEvidence } from '../placement/call-evidence.js';
import { addressKey } from '../placement/media-packet.js';
import { placePacket } from '../placement/place-packet.js';
import { ANY_PLACE, SideTable } from '../placement/side-table.js';
import { heldDirections, HoldWatch, type HeldDirection } from './hold-watch.js';
import { mergeMeasures, type MergedMeasures } from './merged-measures.js';
import type { RtpStream } from './rtp-stream.js';
import { streamPacket } from './rtp-streams.js';
import type { UncountedRtp } from './uncounted-rtp.js';

interface WatchedDirection extends HeldDirection {
  readonly watch: HoldWatch;
}

interface PlacedStream {
  readonly stream: RtpStream;
  readonly receiver: Side;
  /** The media that it may belong to, by place; none: any of the call. */
  readonly places: ReadonlySet<number>;
}

/** What was captured of one medium on its way to one side. */
export interface CapturedDirection {
  readonly medium: AgreedMedium;
  readonly receiver: Side;
  readonly measures: MergedMeasures;
  /** Both sides agreed to send, and nothing was seen of the other direction. */
  readonly isOneWay: boolean;
}

/** A call has two sides and a few media, each seen on both sides of a relay; more come only from changing SSRCs. */
const STREAM_LIMIT = 32;
/** Fewer packets do not show that the other side is silent. */
const ONE_WAY_PACKETS = 150;

const MOVES_LIMIT = 32;
/** Of most calls no media are captured. */
const NONE: readonly CapturedDirection[] = [];

/** The captured RTP streams of one call. */
export class CapturedStreams {
  private readonly placed: PlacedStream[] = [];
  /** As they were agreed last: the end of a medium does not end its measurements. */
  private media: readonly AgreedMedium[] = [];
  private agreed: readonly AgreedMedium[] = [];
  /** Where each side received before a re-INVITE moved its media. */
  private moved: SideTable | undefined;
  private isClosed = false;
  private measuredPackets = 0;
  /** Of most calls no direction is on hold. */
  private held: readonly WatchedDirection[] = [];

  constructor(private readonly evidence: CallEvidence) {}

  /** Removes and returns all streams: the call is over, and what is sent later is not of it. */
  drain(): readonly RtpStream[] {
    this.isClosed = true;
    return this.placed.splice(0).map(({ stream }) => stream);
  }

  get all(): readonly RtpStream[] {
    return this.placed.map(({ stream }) => stream);
  }

  has(stream: RtpStream): boolean {
    return this.placed.some((each) => each.stream === stream);
  }

  /** Whether the call knows the medium of a stream that it has. */
  counts(stream: RtpStream): boolean {
    const placed = this.placed.find((each) => each.stream === stream);
    return placed !== undefined && this.mediumOf(placed) !== undefined;
  }

  /** Returns why the stream belongs to no side of the call; undefined if it does. */
  add(stream: RtpStream): UncountedRtp | undefined {
    if (this.isClosed) return 'after the call';
    if (this.placed.length >= STREAM_LIMIT) return 'too many streams';
    const packet = streamPacket(stream);
    const placement = placePacket(packet, this.evidence);
    if (typeof placement === 'string') return placement;
    const { sender, places, isCertain } = placement;
    const [place, ...others] = places;
    if (isCertain) this.evidence.learn(packet, sender, others.length === 0 ? place : undefined);
    const placed = { stream, receiver: otherSide(sender), places };
    this.placed.push(placed);
    this.describe(placed);
    return undefined;
  }

  /** The media that are agreed now. Returns false if they are those that it has. */
  setMedia(media: readonly AgreedMedium[]): boolean {
    if (media === this.agreed) return false;
    this.rememberMoved(media);
    this.agreed = media;
    this.held = heldDirections(media).map((direction) => ({ ...direction, watch: new HoldWatch() }));
    const ended = this.media.filter(({ place }) => !media.some((medium) => medium.place === place));
    this.media = ended.length === 0 ? media : [...ended, ...media].toSorted((a, b) => a.place - b.place);
    for (const placed of this.placed) this.describe(placed);
    return true;
  }

  /** Since the last call of this function. */
  hasNewPackets(): boolean {
    const packets = this.placed.reduce((sum, { stream }) => sum + stream.packetCount, 0);
    const isNew = packets !== this.measuredPackets;
    this.measuredPackets = packets;
    return isNew;
  }

  /** The directions on hold in which packets flow nevertheless. Call it about each second. */
  flowingOnHold(): readonly HeldDirection[] {
    if (this.placed.length === 0) return [];
    return this.held.filter(({ place, receiver, watch }) => {
      const streams = this.placed.filter((each) => each.receiver === receiver && this.mediumOf(each)?.place === place);
      return watch.flows(streams.reduce((sum, { stream }) => sum + stream.packetCount, 0));
    });
  }

  hasFrom(sender: Side): boolean {
    return this.placed.some(({ receiver }) => receiver === otherSide(sender));
  }

  /** So many packets that the other side should have been seen, too. */
  hasMuchFrom(sender: Side): boolean {
    const streams = this.placed.filter(({ receiver }) => receiver === otherSide(sender));
    return streams.reduce((sum, { stream }) => sum + stream.packetCount, 0) >= ONE_WAY_PACKETS;
  }

  /** Capture time of the last packet, milliseconds. */
  get lastAt(): number {
    return Math.max(...this.placed.map(({ stream }) => stream.lastAt));
  }

  /** One for each direction with packets. `isOver`: what is missing will not arrive any more. */
  measure(isOver: boolean): readonly CapturedDirection[] {
    if (this.placed.length === 0) return NONE;
    const directions = this.media.flatMap((medium) =>
      (['caller', 'callee'] as const).flatMap((receiver) => {
        const nearest = this.nearestTo(medium, receiver);
        const measures = mergeMeasures(nearest.map((stream) => stream.measures(isOver)));
        return measures ? { medium, receiver, measures } : [];
      }),
    );
    return directions.map((direction) => ({ ...direction, isOneWay: isOneWay(direction, directions) }));
  }

  /** A stream may be captured before and after a relay: what is nearer to the receiver counts. */
  private nearestTo(medium: AgreedMedium, receiver: Side): readonly RtpStream[] {
    const streams = this.placed.filter((each) => each.receiver === receiver && this.mediumOf(each) === medium);
    const nearness = streams.map(({ stream }) => this.nearness(stream, medium, receiver));
    const nearest = Math.max(...nearness);
    return streams.filter((_, n) => nearness[n] === nearest).map(({ stream }) => stream);
  }

  /**
   * 2: it goes to the receiver's own address; 1: to one that no message named, behind NAT; 0: to a relay. More behind border controllers that
   * show the caller another address than that of the callee.
   */
  private nearness({ source, destination }: RtpStream, medium: AgreedMedium, receiver: Side): number {
    const hop = this.evidence.hopOf({ source, destination });
    if (hop > 0) return receiver === 'callee' ? 2 + hop : 0;
    const { ip, port } = medium[receiver];
    if (destination.ip === ip && destination.port === port) return 2;
    const key = addressKey(destination);
    if (this.moved?.ownerOf(key).some(({ side }) => side === receiver)) return 2;
    return this.evidence.named.has(key) ? 0 : 1;
  }

  private rememberMoved(next: readonly AgreedMedium[]): void {
    for (const before of this.agreed) {
      const after = next.find(({ place }) => place === before.place);
      for (const side of ['caller', 'callee'] as const) {
        const { ip, port } = before[side];
        if (!after || ip === undefined || port === undefined || (after[side].ip === ip && after[side].port === port))
          continue;
        this.moved ??= new SideTable(MOVES_LIMIT);
        this.moved.add(addressKey({ ip, port }), side, ANY_PLACE);
      }
    }
  }

  private mediumOf({ stream, places }: PlacedStream): AgreedMedium | undefined {
    const possible = places.size === 1 ? places : this.narrowed(stream, places);
    const media = this.media.filter(({ place }) => possible.size === 0 || possible.has(place));
    return media.length === 1 ? media[0] : undefined;
  }

  /** Without an address of its own, a medium is known by its SSRC, or else by its payload type. */
  private narrowed(stream: RtpStream, places: ReadonlySet<number>): ReadonlySet<number> {
    const bySsrc = this.evidence.placeOfStream(stream.ssrc);
    if (bySsrc !== undefined) return new Set([bySsrc]);
    const byType = this.evidence.placesOfFormat(stream.payloadType);
    if (places.size === 0) return byType;
    const both = places.intersection(byType);
    return both.size === 0 ? places : both;
  }

  /** Payload types mean what the receiver's description says; some senders use their own. */
  private describe(placed: PlacedStream): void {
    const medium = this.mediumOf(placed);
    if (!medium) return;
    const codecs = [...medium[otherSide(placed.receiver)].codecs, ...medium[placed.receiver].codecs];
    placed.stream.describe(new Map(codecs.map((codec) => [codec.payloadType, codec])));
  }
}

type Direction = Omit<CapturedDirection, 'isOneWay'>;

function isOneWay({ medium, receiver, measures }: Direction, all: readonly Direction[]): boolean {
  const sender = otherSide(receiver);
  const isBoth = [medium[sender], medium[receiver]].every(({ sends, receives }) => sends && receives);
  if (!isBoth || measures.received < ONE_WAY_PACKETS) return false;
  return !all.some((other) => other.medium === medium && other.receiver === sender);
}
