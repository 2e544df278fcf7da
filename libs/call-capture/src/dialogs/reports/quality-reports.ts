import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { MediaPacket } from '../../placement/media-packet.js';
import type { ObservedReport, ObservedStatistics } from '../../quality/observed-report.js';
import { hasReports } from '../../quality/rtcp-report.js';
import { readVoiceReport, type VoiceReport } from '../../quality/read-voice-report.js';
import type { CapturedMedia } from '../media/captured-media.js';
import { ReportCounts, type UncountedReport } from './report-counts.js';
import type { TrackedCall } from '../tracked-call.js';
import type { TrackedCalls } from '../tracked-calls.js';

/** Phones report at least each few minutes. */
const FARTHEST_MS = 86_400_000;

/** Gives reports of quality to the calls that they belong to, and counts those that belong to none. */
export class QualityReports {
  readonly counts = new ReportCounts();

  constructor(
    private readonly calls: Pick<TrackedCalls, 'newestOf'>,
    private readonly media: CapturedMedia<TrackedCall>,
  ) {}

  /** `callId`: if the capture agent names the call. Returns undefined if the report counts. */
  addRtcp(observed: ObservedReport, callId?: string): UncountedReport | undefined {
    const problem = this.placeRtcp(observed, callId);
    // A packet without reports may still show who sends it.
    if (hasReports(observed.report)) this.counts.add(problem);
    return problem;
  }

  private placeRtcp(observed: ObservedReport, callId?: string): UncountedReport | undefined {
    const found = this.findCalls(observed.packet, callId);
    return this.place(found, observed.capturedAt, ({ quality, call, holds, answeredSeenAt }) => {
      return quality.addRtcp(observed, call.media, { answeredAt: call.times.answeredAt, answeredSeenAt, holds });
    });
  }

  /** `callId`: if the capture agent names the call. */
  addStatistics(observed: ObservedStatistics, callId?: string): void {
    this.counts.add(this.placeStatistics(observed, callId));
  }

  private placeStatistics(
    { statistics, packet, capturedAt }: ObservedStatistics,
    callId?: string,
  ): UncountedReport | undefined {
    const found = this.findCalls(packet, callId);
    return this.place(found, capturedAt, ({ quality, call }) => quality.addStatistics(statistics, packet, call.media));
  }

  /** The body of a message with a voice quality report (RFC 6035). */
  addVoiceReport(body: string): void {
    this.counts.add(this.placeVoiceReport(body));
  }

  private placeVoiceReport(body: string): UncountedReport | undefined {
    const report = readVoiceReport(body);
    if (!report) return 'unreadable';
    const tracked = this.calls.newestOf(report.callId);
    if (!tracked) return 'unknown call';
    const legs = this.media.withLegs(tracked, voiceReportAddresses(report));
    const problems = legs.map(({ quality, call }) => quality.addVoiceReport(report, call.media));
    return problems.includes(undefined) ? undefined : problems[0];
  }

  /** The calls that a packet of media belongs to, more than one if they are legs of one call; `callId`: if the capture agent names one. */
  callIdsOf(packet: MediaPacket, callId?: string): readonly string[] {
    const found = this.findCalls(packet, callId);
    return typeof found === 'string' ? [] : found.map((tracked) => tracked.callId);
  }

  private findCalls(packet: MediaPacket, callId: string | undefined): readonly TrackedCall[] | UncountedReport {
    const named = callId === undefined ? undefined : this.calls.newestOf(callId);
    return named ? this.media.withLegs(named, packet) : this.media.findCalls(packet);
  }

  /** It counts if it counts for one of the calls. */
  private place(
    found: readonly TrackedCall[] | UncountedReport,
    capturedAt: number,
    add: (tracked: TrackedCall) => UncountedReport | undefined,
  ): UncountedReport | undefined {
    if (typeof found === 'string') return found;
    const problems = found.map((tracked) => {
      const problem = add(tracked);
      this.onReport(tracked, capturedAt);
      return problem;
    });
    return problems.includes(undefined) ? undefined : problems[0];
  }

  /** Its addresses and streams may identify captured media. */
  private onReport(tracked: TrackedCall, capturedAt: number): void {
    if (isDuring(tracked, capturedAt)) tracked.lastReportAt = capturedAt;
    this.media.update(tracked);
  }
}

/** A time that is days away from the call is wrong: some agents write their times in another byte order. */
function isDuring({ lastReportAt, lastCapturedAt }: TrackedCall, at: number): boolean {
  return [lastCapturedAt, lastReportAt ?? lastCapturedAt].some((known) => Math.abs(at - known) < FARTHEST_MS);
}

function voiceReportAddresses({ local, remote }: VoiceReport): MediaPacket {
  return withoutAbsent({ source: local, destination: remote, ssrcs: [], reportedSsrcs: [], cnames: [] });
}
