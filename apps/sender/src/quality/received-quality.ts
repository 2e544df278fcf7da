import type { Metric } from '@ringdown/xml-schemas';
import type { ReceptionBlock, VoiceMeasures } from './rtcp-report.js';

/** The quality of one medium at one receiver, from all its reports. Uses constant memory for any number of reports. */
export class ReceivedQuality {
  private loss = new Mean();
  private jitter = new Mean();
  private voice: VoiceMeasures = {};
  private sentPackets: number | undefined;

  /** One RTCP report block. `clockRate`: of the codec, ticks a second. */
  addBlock({ lossRate, jitterTicks, voice }: ReceptionBlock, clockRate: number): void {
    if (lossRate !== undefined) this.loss.add(lossRate);
    if (jitterTicks !== undefined) this.jitter.add((jitterTicks / clockRate) * 1_000);
    if (voice) this.addVoice(voice);
  }

  /** Measurements of the call so far: the last ones count. */
  addVoice(voice: VoiceMeasures): void {
    this.voice = { ...this.voice, ...voice };
  }

  /** How many packets the other side reports to have sent so far. */
  sent(packets: number): void {
    this.sentPackets = packets;
  }

  /** By the metric names of the feed. Measurements of the whole call have priority over the mean of RTCP reports. */
  metrics(mediaType: 'audio' | 'video'): Readonly<Record<string, Metric>> {
    const { lossRate = this.loss.mean, jitterMs = this.jitter.mean, packets } = this.voice;
    const { jitterMaxMs = this.jitter.max, roundTripMs, listeningMos, burstMs, gapMs } = this.voice;
    const received = packets ?? (this.sentPackets && Math.round(this.sentPackets * (1 - (lossRate ?? 0))));
    const loss = rounded(lossRate, 4);
    const values: readonly (readonly [name: string, value: number | undefined])[] = [
      ['PacketUtilization', received],
      ['PacketLossRate', loss],
      ['PacketLossRateMax', rounded(this.loss.max, 4)],
      ['JitterInterArrival', rounded(jitterMs, 0)],
      ['JitterInterArrivalMax', rounded(jitterMaxMs, 0)],
      ['RoundTrip', rounded(roundTripMs, 0)],
      ['OverallAvgNetworkMOS', rounded(listeningMos, 2)],
      ['BurstDuration', burstMs],
      ['BurstGapDuration', gapMs],
      ['VideoPacketLossRate', mediaType === 'video' ? loss : undefined],
    ];
    return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, { value }]])));
  }
}

class Mean {
  private sum = 0;
  private count = 0;
  private highest = 0;

  add(value: number): void {
    this.sum += value;
    this.count++;
    this.highest = Math.max(this.highest, value);
  }

  get mean(): number | undefined {
    return this.count === 0 ? undefined : this.sum / this.count;
  }

  get max(): number | undefined {
    return this.count === 0 ? undefined : this.highest;
  }
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}
