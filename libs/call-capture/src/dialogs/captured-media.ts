import type { MediaPacket } from '../placement/media-packet.js';
import type { CallQuality } from '../quality/call-quality.js';
import type { CapturedStreams } from '../rtp/captured-streams.js';
import type { RtpStream } from '../rtp/rtp-stream.js';
import { packetOf, RtpStreams, type CapturedRtp } from '../rtp/rtp-streams.js';
import type { Call } from './call.js';
import { MediaIndex } from './media-index.js';

/** A call with what is known of its media. */
export interface MeasuredCall {
  readonly callId: string;
  readonly call: Call;
  readonly quality: CallQuality;
  readonly streams: CapturedStreams;
  /** Capture time of its first message, milliseconds. */
  readonly firstCapturedAt: number;
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
  private readonly index = new MediaIndex();
  private readonly streams = new RtpStreams((stream) => this.onStream(stream));

  constructor(private readonly callOf: (callId: string) => C | undefined) {}

  /** Streams that were forgotten before a call claimed them. */
  get forgottenStreams(): number {
    return this.streams.forgotten;
  }

  /** One RTP packet; `at`: its capture time, milliseconds. Returns false if it is something else. */
  add(packet: CapturedRtp, at: number): boolean {
    return this.streams.add(packet, at);
  }

  /** The call to which a packet belongs by its addresses and SSRCs. */
  findCall(packet: MediaPacket): C | 'contradicting evidence' | 'unknown call' {
    const [found, ...others] = this.index.callsOf(packet);
    if (others.length > 0) return 'contradicting evidence';
    return (found === undefined ? undefined : this.callOf(found)) ?? 'unknown call';
  }

  /** What the call has learned may identify streams that began before it was known; these may teach it more. */
  update({ callId, call, streams, firstCapturedAt }: C): void {
    streams.setMedia(call.media);
    const isRecent = (stream: RtpStream): boolean => stream.lastAt > firstCapturedAt - EARLIEST_MS;
    for (;;) {
      const keys = call.evidence.drainNewKeys();
      const addresses = [...keys.named, ...keys.latched, ...keys.natted];
      if (addresses.length + keys.streams.length + keys.hostPairs.length === 0) return;
      this.index.add(callId, keys);
      for (const address of addresses) {
        this.streams.claim(address, (stream) => isRecent(stream) && streams.add(stream));
      }
      for (const hosts of keys.hostPairs) {
        const isOwn = (stream: RtpStream): boolean => isRecent(stream) && this.isOnlyOf(callId, stream);
        this.streams.claim(hosts, (stream) => isOwn(stream) && streams.add(stream));
      }
    }
  }

  /** Two hosts may have several calls, which their addresses alone do not tell apart. */
  private isOnlyOf(callId: string, stream: RtpStream): boolean {
    const calls = this.index.callsOf(packetOf(stream));
    return calls.size === 1 && calls.has(callId);
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
    for (const stream of call.streams.drain()) this.streams.release(stream);
  }

  forget(call: C): void {
    for (const stream of call.streams.drain()) this.streams.release(stream);
    this.index.remove(call.callId);
  }

  /** A new stream: returns whether a call has claimed it. */
  private onStream(stream: RtpStream): boolean {
    const call = this.findCall(packetOf(stream));
    if (typeof call === 'string' || !call.streams.add(stream)) return false;
    this.update(call);
    return true;
  }
}

function measure(call: MeasuredCall, isOver: boolean): void {
  for (const captured of call.streams.measure(isOver)) {
    call.quality.addCaptured(captured);
    call.lastReportAt = Math.max(call.lastReportAt ?? 0, captured.measures.lastAt);
  }
}
