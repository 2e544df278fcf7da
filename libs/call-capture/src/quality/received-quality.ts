import { isPossible, type MetricName } from '@ringdown/call-catalogue/metrics';
import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Metric } from '@ringdown/xml-schemas/record';
import type { Mean } from './mean.js';
import { MEASURED, possibleMeasures } from './possible-measures.js';
import { ReceivedStreams, type BlockContext, type BlockProblem } from './received-streams.js';
import type { ReceptionBlock, VoiceMeasures } from './rtcp-report.js';

/**
 * Where measurements of a stream come from: `reported` by its receiver (RFC 3611, RFC 6035), `observed` in the stream
 * itself, on its way.
 */
export type MeasurementSource = 'reported' | 'observed';

/** The quality of one medium at one receiver, from all its reports. Uses constant memory for any number of reports. */
export class ReceivedQuality {
  private readonly streams = new ReceivedStreams();
  private readonly measures: Record<MeasurementSource, VoiceMeasures> = { reported: {}, observed: {} };

  /** One RTCP report block. Returns why it does not count, or not all of it. */
  addBlock(block: ReceptionBlock, context: BlockContext): BlockProblem | undefined {
    const problem = this.streams.add(block, context);
    if (!block.voice || problem === 'unknown stream') return problem;
    return this.addMeasures('reported', block.voice) ? problem : 'impossible value';
  }

  /** A report of the receiver without blocks. */
  addNothing(context: BlockContext): void {
    this.streams.addNothing(context);
  }

  /** Measurements of the call so far: the last ones count. Returns whether all of them are possible. */
  addMeasures(source: MeasurementSource, measures: VoiceMeasures): boolean {
    const possible = possibleMeasures(measures);
    this.measures[source] = { ...this.measures[source], ...possible };
    return Object.keys(possible).length === Object.keys(measures).length;
  }

  /** How many packets a stream of the other side had sent, by its report. */
  sent(ssrc: number, packets: number, at: number): void {
    this.streams.sent.add(ssrc, packets, at);
  }

  /** How many packets were captured, or are missing between captured ones: the sender has sent them. */
  captured(expected: number, at: number): void {
    this.streams.captured = { sent: expected, sentAt: at };
  }

  get roundTripMs(): number | undefined {
    const { reported, observed } = this.measures;
    return reported.roundTripMs ?? observed.roundTripMs;
  }

  /**
   * By the metric names of the feed. `roundTrip`: computed of the whole medium; a direction whose receiver measured nothing
   * is not described by it. `callMs`: how long the call has lasted so far.
   */
  metrics(mediaType: 'audio' | 'video', roundTrip: Mean, callMs?: number): Readonly<Record<string, Metric>> {
    const measured = this.summary(callMs);
    const { lossRate, jitterMs, jitterMaxMs, roundTripMs, listeningMos, packets } = measured;
    const loss = rounded(lossRate, 4);
    const computed = lossRate === undefined && jitterMs === undefined ? undefined : roundTrip;
    const meanRoundTrip = roundTripMs ?? computed?.mean;
    const values: readonly (readonly [name: MetricName, value: number | undefined])[] = [
      [MEASURED.packets, packets],
      [MEASURED.lossRate, loss],
      [MEASURED.lossMaxRate, rounded(notBelow(lossRate, measured.lossMaxRate), 4)],
      [MEASURED.jitterMs, rounded(jitterMs, 3)],
      [MEASURED.jitterMaxMs, rounded(notBelow(jitterMs, jitterMaxMs), 3)],
      [MEASURED.roundTripMs, rounded(meanRoundTrip, 3)],
      ['RoundTripMax', rounded(notBelow(meanRoundTrip, computed?.max), 3)],
      [MEASURED.listeningMos, rounded(listeningMos, 2)],
      [MEASURED.burstMs, rounded(measured.burstMs, 0)],
      [MEASURED.gapMs, rounded(measured.gapMs, 0)],
      [MEASURED.computedMos, rounded(measured.computedMos, 2)],
      [MEASURED.burstDensity, rounded(measured.burstDensity, 4)],
      [MEASURED.gapDensity, rounded(measured.gapDensity, 4)],
      ['VideoPacketLossRate', mediaType === 'video' ? loss : undefined],
    ];
    const possible = values.flatMap(([name, value]) => {
      return value === undefined || !isPossible(name, value) ? [] : [[name, { value }] as const];
    });
    return Object.fromEntries(possible);
  }

  /**
   * What the receiver measured of the whole call has priority over its RTCP reports, and these over what was observed on
   * the way. Packets that its reports do not know of are lost, whatever else it measured.
   */
  private summary(callMs: number | undefined): VoiceMeasures {
    const { reported, observed } = this.measures;
    const { isUnknown, missing, lossRate, sent, ...means } = this.streams.summary(callMs);
    // What arrived is not known: what was seen on the way would pass as a good stream.
    if (isUnknown) return reported;
    const counted = sent === undefined || lossRate === undefined ? undefined : Math.round(sent * (1 - lossRate));
    const measured = { ...observed, ...withoutAbsent({ ...means, lossRate }), ...reported };
    if (missing > 0 && lossRate !== undefined) {
      return {
        ...measured,
        ...withoutAbsent({ lossRate: Math.max(lossRate, measured.lossRate ?? 0), packets: counted }),
      };
    }
    // How many packets arrived is not known from the number that was sent alone.
    const arrived = sent === undefined || measured.lossRate === undefined ? undefined : sent * (1 - measured.lossRate);
    return withoutAbsent({
      ...measured,
      packets: measured.packets ?? (arrived === undefined ? undefined : Math.round(arrived)),
    });
  }
}

/** The mean of a call and the maximum may come from different reports, and a maximum below the mean is none. */
function notBelow(mean: number | undefined, max: number | undefined): number | undefined {
  return max === undefined || mean === undefined ? max : Math.max(mean, max);
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}
