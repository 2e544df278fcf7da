import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { RtpStatistics } from '../rtp/read-rtp-statistics.js';
import type { VoiceMeasures } from './rtcp-report.js';
import { WeightedMean } from './weighted-mean.js';

/**
 * What a capture agent reports of one stream from time to time. A final report is of the whole stream and replaces the
 * others; their loss and jitter are averaged by packets, because agents differ in whether they report totals.
 */
export class StreamStatistics {
  private readonly loss = new WeightedMean();
  private readonly jitter = new WeightedMean();
  private readonly mos = new WeightedMean();
  private mostPackets = 0;
  private jitterMax: number | undefined;
  private final: RtpStatistics | undefined;

  add(statistics: RtpStatistics): void {
    if (statistics.isFinal) this.final = statistics;
    const { packets = 0, lossRate, jitterMs, jitterMaxMs, mos } = statistics;
    const weight = Math.max(1, packets);
    this.loss.add(lossRate, weight);
    this.jitter.add(jitterMs, weight);
    this.mos.add(mos, weight);
    this.mostPackets = Math.max(this.mostPackets, packets);
    if (jitterMaxMs !== undefined) this.jitterMax = Math.max(this.jitterMax ?? 0, jitterMaxMs);
  }

  get measures(): VoiceMeasures {
    const { final } = this;
    return withoutAbsent({
      packets: final?.packets ?? this.mostPackets,
      lossRate: final?.lossRate ?? this.loss.mean,
      jitterMs: final?.jitterMs ?? this.jitter.mean,
      jitterMaxMs: final?.jitterMaxMs ?? this.jitterMax,
      computedMos: final?.mos ?? this.mos.mean,
    });
  }
}
