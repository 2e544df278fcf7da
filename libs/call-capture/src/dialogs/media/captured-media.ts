import { addressKey, hostPairKey, type MediaPacket } from '../../placement/media-packet.js';
import type { CallQuality } from '../../quality/call-quality.js';
import type { CapturedStreams } from '../../rtp/captured-streams.js';
import type { RtpStream } from '../../rtp/rtp-stream.js';
import { streamPacket, RtpStreams, type CapturedRtp } from '../../rtp/rtp-streams.js';
import type { UncountedRtp } from '../../rtp/uncounted-rtp.js';
import type { Call } from '../call.js';
import { MediaIndex } from './media-index.js';
import { SeenNetworks } from './seen-networks.js';
import { legsThatName, MediaLegs, type Leg } from './media-legs.js';

/** A call with what is known of its media. */
export interface MeasuredCall extends Leg {
  readonly call: Call;
  readonly quality: CallQuality;
  readonly streams: CapturedStreams;
  /** Of its last quality report, or of the last packet of its media that was measured. */
  lastReportAt?: number;
  /** When its captured media were measured during the call. */
  measuredAt?: number;
}

/** What ended earlier was of another call at the same addresses; clocks of several capture points may differ. */
const EARLIEST_MS = 2_000;
/** How often captured media are measured during a call: as often as phones report by RTCP. */
const MEASURE_MS = 5_000;

/** The captured RTP of all calls, and the index of the media that belong to calls. */
export class CapturedMedia<C extends MeasuredCall> {
  private readonly index = new MediaIndex((callIds) => this.areOneCall(callIds));
  private readonly legs = new MediaLegs<C>();
  private readonly streams = new RtpStreams((stream) => this.onStream(stream));
  /** How many calls have a stream beside the first one. */
  private readonly sharedBy = new Map<RtpStream, number>();
  /** Why a stream that proved to be one has no call. */
  private readonly problems = new WeakMap<RtpStream, UncountedRtp>();
  readonly networks = new SeenNetworks();

  constructor(private readonly callOf: (callId: string) => C | undefined) {}

  /** Streams that were forgotten before a call claimed them. */
  get forgottenStreams(): number {
    return this.streams.forgotten;
  }

  /** Whether streams that no call has claimed go to or from the agreed addresses of the call, or between its hosts. */
  hasUnclaimed({ call }: C): boolean {
    return call.media.some(({ caller, callee }) => {
      const ends = [caller, callee].flatMap(({ ip, port }) =>
        ip === undefined || port === undefined ? [] : { ip, port },
      );
      const [one, other] = ends;
      const pair = one && other ? [hostPairKey(one.ip, other.ip)] : [];
      return [...ends.map(addressKey), ...pair].some((key) => this.streams.hasUnclaimed(key));
    });
  }

  /** RTP packets that count for no call so far, by reason. */
  get uncountedRtp(): Readonly<Record<UncountedRtp, number>> {
    return this.streams.uncounted((stream) => this.problems.get(stream) ?? 'unknown call');
  }

  /** One RTP packet; `at`: its capture time, milliseconds. Returns false if it is something else. */
  add(packet: CapturedRtp, at: number): boolean {
    return this.streams.add(packet, at);
  }

  /** The call to which a packet belongs by its addresses and SSRCs, with the other legs that have the same media. */
  findCalls(packet: MediaPacket): readonly C[] | 'contradicting evidence' | 'unknown call' {
    const found = [...this.index.callsOf(packet)].flatMap((callId) => this.callOf(callId) ?? []);
    const [first] = found;
    if (first === undefined) return 'unknown call';
    return this.legs.areOneCall(found) ? this.withLegs(first, packet) : 'contradicting evidence';
  }

  /** The call of a packet, and the other legs that have the same media. */
  withLegs(call: C, packet: MediaPacket): readonly C[] {
    const others = this.legs.othersOf(call);
    if (others.length === 0) return [call];
    return [call, ...legsThatName([call, ...others], packet).filter((leg) => leg !== call)];
  }

  /** What the call has learned may identify streams that began before it was known; these may teach it more. */
  update(call: C): void {
    const { callId, streams } = call;
    if (streams.setMedia(call.call.media)) this.updateLegs(call);
    for (;;) {
      const keys = call.call.evidence.drainNewKeys();
      const addresses = [...keys.named, ...keys.latched, ...keys.natted];
      if (addresses.length + keys.streams.length + keys.hostPairs.length === 0) return;
      this.index.add(callId, keys);
      for (const key of [...addresses, ...keys.hostPairs]) {
        this.streams.claim(
          key,
          (stream) => isRecent(stream, call) && this.isOf(call, stream) && this.claim(call, stream),
        );
      }
    }
  }

  /** What one leg has of the media that it shares with another one, that has, too. */
  private updateLegs(call: C): void {
    this.legs.update(call);
    for (const other of this.legs.othersOf(call)) {
      for (const stream of other.streams.all) this.share(stream, other, call);
      for (const stream of call.streams.all) this.share(stream, call, other);
    }
  }

  private share(stream: RtpStream, from: C, to: C): void {
    if (!isRecent(stream, to) || to.streams.has(stream)) return;
    if (!legsThatName([from, to], streamPacket(stream)).includes(to)) return;
    if (to.streams.add(stream) !== undefined) return;
    this.sharedBy.set(stream, (this.sharedBy.get(stream) ?? 0) + 1);
  }

  /** Two hosts may have several calls, which their addresses alone do not tell apart. */
  private isOf(call: C, stream: RtpStream): boolean {
    const calls = this.findCalls(streamPacket(stream));
    return typeof calls !== 'string' && calls.includes(call);
  }

  /** Returns whether the call has the stream, which its other legs then have, too. */
  private claim(call: C, stream: RtpStream): boolean {
    const problem = call.streams.add(stream);
    if (problem !== undefined) {
      this.problems.set(stream, problem);
      return false;
    }
    this.networks.add(stream);
    for (const other of this.legs.othersOf(call)) this.share(stream, call, other);
    return true;
  }

  private areOneCall(callIds: readonly string[]): boolean {
    return this.legs.areOneCall(callIds.flatMap((callId) => this.callOf(callId) ?? []));
  }

  /** Call it about each second, with a monotonic clock. */
  measureDuringCall(call: C, now: number): void {
    if (now - (call.measuredAt ?? 0) < MEASURE_MS) return;
    call.measuredAt = now;
    if (call.streams.hasNewPackets()) measure(call, false);
  }

  /** The call is over: what is sent from now on is not of it. */
  finish(call: C): void {
    measure(call, true);
    this.release(call);
  }

  forget(call: C): void {
    this.release(call);
    this.index.remove(call.callId);
    this.legs.remove(call);
  }

  /** Another leg that is not over keeps a stream that both have. */
  private release(call: C): void {
    const uncounted = call.streams.all.filter((stream) => !call.streams.counts(stream));
    for (const stream of call.streams.drain()) {
      const others = this.sharedBy.get(stream) ?? 0;
      if (others === 0 && uncounted.includes(stream)) this.streams.notCounted(stream, 'unknown medium');
      if (others > 1) this.sharedBy.set(stream, others - 1);
      else this.sharedBy.delete(stream);
      if (others === 0) this.streams.release(stream);
    }
  }

  /** A new stream: returns whether a call has claimed it. */
  private onStream(stream: RtpStream): boolean {
    const calls = this.findCalls(streamPacket(stream));
    if (typeof calls === 'string') {
      this.problems.set(stream, calls);
      return false;
    }
    const owner = calls.find((call) => this.claim(call, stream));
    if (owner === undefined) return false;
    for (const call of calls) this.update(call);
    return true;
  }
}

function isRecent({ lastAt }: RtpStream, { firstCapturedAt }: Leg): boolean {
  return lastAt > firstCapturedAt - EARLIEST_MS;
}

function measure(call: MeasuredCall, isOver: boolean): void {
  for (const captured of call.streams.measure(isOver)) {
    call.quality.addCaptured(captured);
    call.lastReportAt = Math.max(call.lastReportAt ?? 0, captured.measures.lastAt);
  }
}
