import { withoutAbsent, type Metric } from '@ringdown/xml-schemas';
import { Mean } from './mean.js';
import type { ReceptionBlock, VoiceMeasures } from './rtcp-report.js';

/**
 * Where measurements of a stream come from: `reported` by its receiver (RFC 3611, RFC 6035), `observed` in the stream
 * itself, on its way.
 */
export type MeasurementSource = 'reported' | 'observed';

/** The quality of one medium at one receiver, from all its reports. Uses constant memory for any number of reports. */
export class ReceivedQuality {
  private loss = new Mean();
  private jitter = new Mean();
  private readonly measures: Record<MeasurementSource, VoiceMeasures> = { reported: {}, observed: {} };
  private sentPackets: number | undefined;

  /** One RTCP report block. `clockRate`: of the codec, ticks a second. */
  addBlock({ lossRate, jitterTicks, voice }: ReceptionBlock, clockRate: number): void {
    if (lossRate !== undefined) this.loss.add(lossRate);
    if (jitterTicks !== undefined) this.jitter.add((jitterTicks / clockRate) * 1_000);
    if (voice) this.addMeasures('reported', voice);
  }

  /** Measurements of the call so far: the last ones count. */
  addMeasures(source: MeasurementSource, measures: VoiceMeasures): void {
    this.measures[source] = { ...this.measures[source], ...measures };
  }

  /** How many packets the other side reports to have sent so far. */
  sent(packets: number): void {
    this.sentPackets = packets;
  }

  get roundTripMs(): number | undefined {
    const { reported, observed } = this.measures;
    return reported.roundTripMs ?? observed.roundTripMs;
  }

  /**
   * By the metric names of the feed. `roundTrip`: computed of the whole medium; a direction whose receiver measured nothing
   * is not described by it.
   */
  metrics(mediaType: 'audio' | 'video', roundTrip: Mean): Readonly<Record<string, Metric>> {
    const measured = this.summary();
    const { lossRate, jitterMs, jitterMaxMs, roundTripMs, listeningMos, packets } = measured;
    const received = packets ?? (lossRate === undefined ? undefined : this.arrived(lossRate));
    const loss = rounded(lossRate, 4);
    const computed = lossRate === undefined && jitterMs === undefined ? undefined : roundTrip;
    const meanRoundTrip = roundTripMs ?? computed?.mean;
    const values: readonly (readonly [name: string, value: number | undefined])[] = [
      ['PacketUtilization', received],
      ['PacketLossRate', loss],
      ['PacketLossRateMax', rounded(notBelow(lossRate, this.loss.max ?? measured.lossMaxRate), 4)],
      ['JitterInterArrival', rounded(jitterMs, 0)],
      ['JitterInterArrivalMax', rounded(notBelow(jitterMs, jitterMaxMs), 0)],
      ['RoundTrip', rounded(meanRoundTrip, 0)],
      ['RoundTripMax', rounded(notBelow(meanRoundTrip, computed?.max), 0)],
      ['OverallAvgNetworkMOS', rounded(listeningMos, 2)],
      ['BurstDuration', rounded(measured.burstMs, 0)],
      ['BurstGapDuration', rounded(measured.gapMs, 0)],
      ['ComputedMOS', rounded(measured.computedMos, 2)],
      ['BurstDensity', rounded(measured.burstDensity, 4)],
      ['BurstGapDensity', rounded(measured.gapDensity, 4)],
      ['VideoPacketLossRate', mediaType === 'video' ? loss : undefined],
    ];
    return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, { value }]])));
  }

  /** How many packets arrived is not known from the number that was sent alone: that would pass as a good stream. */
  private arrived(lossRate: number): number | undefined {
    return this.sentPackets && Math.round(this.sentPackets * (1 - lossRate));
  }

  /**
   * What the receiver measured of the whole call has priority over the mean of its RTCP reports, and these over what was
   * observed on the way.
   */
  private summary(): VoiceMeasures {
    const { reported, observed } = this.measures;
    const means = { lossRate: this.loss.mean, jitterMs: this.jitter.mean, jitterMaxMs: this.jitter.max };
    return { ...observed, ...withoutAbsent(means), ...reported };
  }
}

/** The mean of a call and the maximum may come from different reports, and a maximum below the mean is none. */
function notBelow(mean: number | undefined, max: number | undefined): number | undefined {
  return max === undefined || mean === undefined ? max : Math.max(mean, max);
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}
