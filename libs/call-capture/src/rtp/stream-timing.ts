import { ActiveTime } from './active-time.js';
import { Jitter } from './jitter.js';
import { LatePackets } from './late-packets.js';
import type { PayloadKind } from './payload-types-seen.js';
import { payloadFormat, type PayloadFormat } from './payload-types.js';
import type { RtpHeader } from './rtp-header.js';
import type { Arrival } from './sequence-numbers.js';

/** The rates of codecs in use. Until a session description names the codec, jitter is computed for each of them. */
const USUAL_RATES = [8_000, 16_000, 32_000, 48_000, 90_000] as const;

export interface TimingMeasures {
  /** Milliseconds; undefined while the clock rate is not known, and for a single packet. */
  readonly jitterMs: number | undefined;
  readonly jitterMaxMs: number | undefined;
  readonly latePackets: number;
  /** While packets arrived, without jumps of the capture clock. */
  readonly activeMs: number;
  readonly clockJumps: number;
}

/** Jitter and lateness of one stream, with the clock rate of each packet's payload type. */
export class StreamTiming {
  /** With an unknown rate: one for each usual rate. */
  private jitters: readonly Jitter[] = [];
  private finished: readonly Jitter[] = [];
  private readonly late = new LatePackets();
  private readonly active: ActiveTime;
  private described: ReadonlyMap<number, PayloadFormat> | undefined;
  private lastPayloadType = -1;
  private lastRate: number | undefined;
  private lastTimestamp = 0;
  /** Of the time stamps, which wrap after hours. */
  private mediaTicks = 0;
  private followsComfortNoise = false;

  /** `firstAt`: capture time of the first packet. */
  constructor(firstAt: number) {
    this.active = new ActiveTime(firstAt);
  }

  describe(formats: ReadonlyMap<number, PayloadFormat>): void {
    this.described = formats;
    const [rate] = this.rateOf(this.lastPayloadType);
    this.lastPayloadType = -1;
    if (rate === undefined || this.lastRate !== undefined) return;
    const chosen = this.jitters.find(({ clockRate }) => clockRate === rate);
    if (chosen) [this.jitters, this.lastRate] = [[chosen], rate];
  }

  add(
    { payloadType, timestamp, marker }: RtpHeader,
    at: number,
    packet: { kind: PayloadKind; arrival: Arrival },
  ): void {
    // The time stamp of a key press stays the same while it lasts.
    if (packet.kind === 'event') {
      this.active.add(at, undefined);
      return;
    }
    if (payloadType !== this.lastPayloadType) this.changeRate(payloadType, timestamp);
    const isRegular = !marker && packet.kind !== 'comfort noise' && !this.followsComfortNoise;
    for (const jitter of this.jitters) jitter.add(at, timestamp, isRegular);
    this.followsComfortNoise = packet.kind === 'comfort noise';
    const ticks = (timestamp - this.lastTimestamp) | 0;
    this.mediaTicks += ticks;
    this.lastTimestamp = timestamp;
    this.active.add(at, this.lastRate === undefined ? undefined : (ticks * 1_000) / this.lastRate);
    if (this.lastRate !== undefined && packet.arrival !== 'duplicate') {
      this.late.add(at, (this.mediaTicks * 1_000) / this.lastRate);
    }
  }

  get measures(): TimingMeasures {
    const known = this.lastRate === undefined ? this.finished : [...this.finished, ...this.jitters];
    const samples = known.reduce((sum, each) => sum + each.samples, 0);
    return {
      jitterMs:
        samples === 0 ? undefined : known.reduce((sum, each) => sum + (each.mean ?? 0) * each.samples, 0) / samples,
      jitterMaxMs: samples === 0 ? undefined : Math.max(...known.map(({ max }) => max ?? 0)),
      latePackets: this.late.count,
      activeMs: this.active.ms,
      clockJumps: known.reduce((sum, each) => sum + each.clockJumps, 0),
    };
  }

  /** Comfort noise and most changes of a codec keep the rate. */
  private changeRate(payloadType: number, timestamp: number): void {
    const [rate, rates] = this.rateOf(payloadType);
    const isSame = this.lastPayloadType !== -1 || this.jitters.length > 0 ? rate === this.lastRate : false;
    this.lastPayloadType = payloadType;
    if (isSame) return;
    const continued = this.finished.find(({ clockRate }) => clockRate === rate);
    continued?.restart();
    if (this.lastRate !== undefined) this.finished = [...this.finished, ...this.jitters];
    this.finished = this.finished.filter((each) => each !== continued);
    this.jitters = continued ? [continued] : rates.map((each) => new Jitter(each));
    this.lastRate = rate;
    this.lastTimestamp = timestamp;
    this.late.restart();
  }

  private rateOf(payloadType: number): readonly [rate: number | undefined, rates: readonly number[]] {
    const rate = payloadFormat(payloadType, this.described)?.clockRate;
    return rate === undefined ? [undefined, USUAL_RATES] : [rate, [rate]];
  }
}
