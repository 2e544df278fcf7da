import { metricsLevel } from '@ringdown/quality';
import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Metric, QualityEvent } from '@ringdown/xml-schemas/record';
import { SmallMap } from '../collections/small-map.js';
import { mediaEnd, otherSide, type AgreedMedium, type Parties, type Side } from '../media/agreed-media.js';
import type { CallEvidence } from '../placement/call-evidence.js';
import type { MediaPacket } from '../placement/media-packet.js';
import { placePacket, type PlacementProblem } from '../placement/place-packet.js';
import { capturedMetrics } from '../rtp/captured-metrics.js';
import type { CapturedDirection } from '../rtp/captured-streams.js';
import type { RtpStatistics } from '../rtp/read-rtp-statistics.js';
import { capturedMeasures } from './captured-measures.js';
import { InCallSchedule } from './in-call-schedule.js';
import type { ObservedReport } from './observed-report.js';
import type { VoiceReport } from './read-voice-report.js';
import { ReceivedQuality, type MeasurementSource } from './received-quality.js';
import type { BlockContext, BlockProblem } from './received-streams.js';
import { RoundTrips } from './round-trips.js';
import type { ReceptionBlock, VoiceMeasures } from './rtcp-report.js';
import { StreamStatistics } from './stream-statistics.js';

/** Why a report of a call does not count. */
export type ReportProblem = PlacementProblem | BlockProblem | 'unknown medium';

type Media = readonly AgreedMedium[];

/** When media flow in a call, by the clock of its SIP messages, milliseconds. */
export interface MediaTimes {
  readonly answeredAt?: number | undefined;
  /** When the answer arrived, by a monotonic clock. */
  readonly answeredSeenAt?: number | undefined;
  readonly holds: {
    /** How long a medium of the receiver was on hold until then. */
    heldMs(place: number, receiver: Side, at: number): number;
  };
}

interface Received {
  readonly medium: AgreedMedium;
  readonly receiver: Side;
  readonly quality: ReceivedQuality;
  /** By capture agents. */
  readonly statistics: StreamStatistics;
  captured?: CapturedDirection;
}

/** What a report is about. */
interface Reported {
  readonly medium: AgreedMedium;
  readonly receiver: Side;
  readonly observed: ObservedReport;
  readonly times: MediaTimes;
  readonly nearness: number;
}

/** The quality of the media of one call, from all reports. */
export class CallQuality {
  /** A description has 16 media at most, for two sides. */
  private readonly received = new SmallMap<Received>(32);
  private measuredTrips: RoundTrips | undefined;
  private readonly schedule = new InCallSchedule();
  private unreported = false;
  /** Measurements since the last report during the call. */
  private isNew = false;
  /** Whose phone has measured. */
  private measuredBy: Side | 'several' | undefined;
  private times: Pick<VoiceReport, 'startTime' | 'endTime'> = {};

  /** `evidence`: which side of the call sent a report. */
  constructor(private readonly evidence: CallEvidence) {}

  /** Returns undefined if the report counts. */
  addRtcp(observed: ObservedReport, media: Media, times: MediaTimes): ReportProblem | undefined {
    const { packet, report, capturedAt: at } = observed;
    const placement = placePacket(packet, this.evidence);
    if (typeof placement === 'string') return placement;
    const { sender, places, isCertain } = placement;
    const medium = onlyMedium(media, places);
    const hop = this.evidence.hopOf(packet);
    const nearness = sender === 'callee' ? hop : -hop;
    const added = report.blocks.map((block) => {
      const own = medium ?? this.mediumOf(block.ssrc, media);
      return {
        block,
        own,
        problem: own && this.addBlock(block, { medium: own, receiver: sender, observed, times, nearness }),
      };
    });
    const counted = report.senders.filter((each) => {
      const own = medium ?? this.mediumOf(each.ssrc, media);
      this.roundTrips.addReport(each, observed);
      if (own && each.packets !== undefined)
        this.qualityOf(own, otherSide(sender)).sent(each.ssrc ?? 0, each.packets, at);
      return own;
    });
    if (report.receivedNothing && medium)
      this.qualityOf(medium, sender).addNothing(contextOf({ medium, receiver: sender, observed, times, nearness }));
    const placed = added.filter(({ own, problem }) => own && problem === undefined);
    // The bytes of something else name streams that do not exist.
    const reportedSsrcs = placed.flatMap(({ block }) => block.ssrc ?? []);
    if (isCertain) this.evidence.learn({ ...packet, reportedSsrcs }, sender, medium?.place);
    if (placed.length > 0) this.addReporter(sender);
    this.onMeasured(added.some(({ own }) => own) || report.receivedNothing === true);
    const problem = added.find((each) => each.problem !== undefined)?.problem;
    return problem ?? ((medium ?? placed[0] ?? counted[0]) ? undefined : 'unknown medium');
  }

  private addBlock(block: ReceptionBlock, about: Reported): BlockProblem | undefined {
    const { medium, receiver, observed } = about;
    const isKnown = block.ssrc === undefined ? undefined : this.evidence.isSource(block.ssrc, otherSide(receiver));
    const problem = this.qualityOf(medium, receiver).addBlock(block, { ...contextOf(about), isKnown });
    this.roundTrips.addAnswer(block, receiver, medium.place, observed);
    return problem;
  }

  /** Returns undefined if the report counts. */
  addVoiceReport(report: VoiceReport, media: Media): ReportProblem | undefined {
    const { local, remote, localMeasures, remoteMeasures, startTime, endTime } = report;
    const packet = {
      ...(local ? { source: local } : {}),
      ...(remote ? { destination: remote } : {}),
      ssrcs: [local?.ssrc ?? []].flat(),
      reportedSsrcs: [remote?.ssrc ?? []].flat(),
      cnames: [],
    };
    const placement = placePacket(packet, this.evidence);
    if (typeof placement === 'string') return placement;
    const { sender, places } = placement;
    const medium = onlyMedium(media, places);
    if (!medium) return 'unknown medium';
    this.addReporter(sender);
    const isPossible = [
      localMeasures && this.addMeasures(medium, sender, 'reported', localMeasures),
      remoteMeasures && this.addMeasures(medium, otherSide(sender), 'reported', remoteMeasures),
    ].every((possible) => possible !== false);
    this.times = {
      ...(startTime === undefined ? {} : { startTime }),
      ...(endTime === undefined ? {} : { endTime }),
    };
    return isPossible ? undefined : 'impossible value';
  }

  /**
   * Measurements of a stream so far, at its receiver or on its way there; later ones of a source replace earlier ones.
   * Returns whether all of them are possible.
   */
  addMeasures(medium: AgreedMedium, receiver: Side, source: MeasurementSource, measures: VoiceMeasures): boolean {
    const isPossible = this.qualityOf(medium, receiver).addMeasures(source, measures);
    // Measured on its way.
    if (source !== 'reported') this.addReporter('several');
    this.onMeasured(true);
    return isPossible;
  }

  /** What was seen of the stream itself; a later call replaces it. */
  addCaptured(captured: CapturedDirection): void {
    const { medium, receiver, measures } = captured;
    this.addMeasures(medium, receiver, 'observed', capturedMeasures(measures));
    this.receivedBy(medium, receiver).captured = captured;
    this.qualityOf(medium, receiver).captured(measures.expected, measures.lastAt);
  }

  /** What a capture agent measured of a stream. Our own measurements of it have priority. */
  addStatistics(statistics: RtpStatistics, packet: MediaPacket, media: Media): ReportProblem | undefined {
    const placement = placePacket(packet, this.evidence);
    if (typeof placement === 'string') return placement;
    const medium = onlyMedium(media, placement.places);
    if (!medium) return 'unknown medium';
    const receiver = otherSide(placement.sender);
    if (placement.isCertain) this.evidence.learn(packet, placement.sender, medium.place);
    const { statistics: all, captured } = this.receivedBy(medium, receiver);
    all.add(statistics);
    const isPossible = captured !== undefined || this.addMeasures(medium, receiver, 'observed', all.measures);
    return isPossible ? undefined : 'impossible value';
  }

  /** Whether reports arrived since the last flush. */
  get hasUnreported(): boolean {
    return this.unreported;
  }

  /** The side whose phone has measured everything; undefined if both have, or none. */
  get reporter(): Side | undefined {
    return this.measuredBy === 'several' ? undefined : this.measuredBy;
  }

  /** By the clock of the phone that reported. */
  get reportedTimes(): Pick<VoiceReport, 'startTime' | 'endTime'> {
    return this.times;
  }

  /**
   * The quality of a call that is over, or of which nothing more is known: one event for each direction with measurements.
   * `callMs`: how long it lasted, undefined if that is not known.
   */
  flush(parties: Parties, callMs?: number): QualityEvent[] {
    this.unreported = false;
    return this.events('qualityUpdate', parties, callMs);
  }

  /** Whether something was measured since the last report during the call. */
  get hasNews(): boolean {
    return this.isNew;
  }

  /** The quality so far, if it is due. `now`: by a monotonic clock. */
  duringCall(parties: Parties, now: number, periodMs: number, callMs?: number): QualityEvent[] {
    if (!this.isNew) return [];
    const events = this.events('inCallQuality', parties, callMs);
    const levels = events.map(({ mediaType = null, to, codecs, metrics }, at) => {
      return [`${at} ${to?.id}`, metricsLevel({ mediaType, codecs, metrics })] as const;
    });
    if (!this.schedule.isDue(now, new Map(levels), periodMs)) return [];
    this.isNew = false;
    return events;
  }

  /** Most calls of a platform without RTCP have none. */
  private get roundTrips(): RoundTrips {
    return (this.measuredTrips ??= new RoundTrips());
  }

  private addReporter(side: Side | 'several'): void {
    this.measuredBy = this.measuredBy === undefined || this.measuredBy === side ? side : 'several';
  }

  private onMeasured(isMeasured: boolean): void {
    this.unreported ||= isMeasured;
    this.isNew ||= isMeasured;
  }

  private events(kind: QualityEvent['kind'], parties: Parties, callMs: number | undefined): QualityEvent[] {
    return this.received.values().flatMap((received) => {
      const { medium, receiver, captured } = received;
      const sender = otherSide(receiver);
      const metrics = this.metricsOf(received, callMs);
      if (Object.keys(metrics).length === 0) return [];
      const used = captured?.measures.codec ?? medium.codecs[0];
      const to = mediaEnd(parties[receiver], medium[receiver]);
      return {
        kind,
        mediaType: medium.mediaType,
        from: mediaEnd(parties[sender], medium[sender]),
        to: withoutAbsent({ ...to, dscpInbound: captured?.measures.dscp }),
        codecs: used ? [{ name: used.name }] : [],
        metrics: { ...metrics, ...appliedLimit(medium[receiver]) },
      };
    });
  }

  /** What was captured stays beside what the receiver reports. */
  private metricsOf(
    { medium, quality, captured }: Received,
    callMs: number | undefined,
  ): Readonly<Record<string, Metric>> {
    const { mediaType, place } = medium;
    const roundTrip = this.roundTrips.of(place);
    const metrics = quality.metrics(mediaType, roundTrip, callMs);
    if (!captured) return metrics;
    const { measures, isOneWay } = captured;
    const roundTripMs = quality.roundTripMs ?? roundTrip.mean;
    return { ...metrics, ...capturedMetrics(measures, { mediaType, isOneWay, roundTripMs }) };
  }

  /** Of media on one port only the SSRC differs. */
  private mediumOf(ssrc: number | undefined, media: Media): AgreedMedium | undefined {
    const place = ssrc === undefined ? undefined : this.evidence.placeOfStream(ssrc);
    return media.find((medium) => medium.place === place);
  }

  private qualityOf(medium: AgreedMedium, receiver: Side): ReceivedQuality {
    return this.receivedBy(medium, receiver).quality;
  }

  /** Bounded: a call has two sides, and its session descriptions a limited number of media. */
  private receivedBy(medium: AgreedMedium, receiver: Side): Received {
    const key = `${medium.place} ${receiver}`;
    const known = this.received.get(key) ?? { quality: new ReceivedQuality(), statistics: new StreamStatistics() };
    const received = { ...known, medium, receiver };
    this.received.set(key, received);
    return received;
  }
}

function contextOf({ medium, receiver, observed, times, nearness }: Reported): BlockContext {
  const { capturedAt: at, arrivedAt, report } = observed;
  const sender = otherSide(receiver);
  const flows = medium[sender].sends && medium[receiver].receives;
  const heldMs = times.holds.heldMs(medium.place, receiver, at);
  const startedAt = times.answeredAt === undefined ? undefined : times.answeredAt + heldMs;
  const clockRate = medium.codecs[0]?.clockRate ?? 8_000;
  const usualRate = packetRate(medium, receiver);
  const seenAt = times.answeredSeenAt;
  const sinceAnswerMs = seenAt === undefined ? undefined : Math.max(0, arrivedAt - seenAt - heldMs);
  const [reporter] = report.ssrcs;
  const reporterSent = report.senders.find(({ ssrc }) => ssrc === reporter)?.packets;
  const known = { reporter, reporterSent, usualRate, nearness };
  return { at, clockRate, flows, startedAt, heldMs, sinceAnswerMs, ...known };
}

/** Packets a second: the receiver names the time in each one (RFC 8866, 6.4), which is mostly that of both sides. */
function packetRate(medium: AgreedMedium, receiver: Side): number | undefined {
  const packetMs = medium[receiver].packetMs ?? medium[otherSide(receiver)].packetMs;
  return packetMs === undefined ? undefined : 1_000 / packetMs;
}

/** `places`: none means any. */
function onlyMedium(media: Media, places: ReadonlySet<number>): AgreedMedium | undefined {
  const possible = places.size === 0 ? media : media.filter(({ place }) => places.has(place));
  return possible.length === 1 ? possible[0] : undefined;
}

/** What the receiver allows (`b=` of its session description). */
function appliedLimit({ bandwidthLimit }: AgreedMedium[Side]): Record<string, Metric> {
  return bandwidthLimit === undefined ? {} : { AppliedBandwidthLimit: { value: bandwidthLimit } };
}
