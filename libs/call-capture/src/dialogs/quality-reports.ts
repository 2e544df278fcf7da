import type { MediaPacket } from '../placement/media-packet.js';
import type { ObservedReport, ObservedStatistics } from '../quality/observed-report.js';
import { hasReports } from '../quality/rtcp-report.js';
import { readVoiceReport } from '../quality/read-voice-report.js';
import type { CapturedMedia } from './captured-media.js';
import { ReportCounts, type UncountedReport } from './report-counts.js';
import type { TrackedCall } from './tracked-call.js';

/** Phones report at least each few minutes. */
const FARTHEST_MS = 86_400_000;

/** Gives reports of quality to the calls that they belong to, and counts those that belong to none. */
export class QualityReports {
  readonly counts = new ReportCounts();

  constructor(
    private readonly calls: ReadonlyMap<string, TrackedCall>,
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
    const tracked = this.findCall(observed.packet, callId);
    if (typeof tracked === 'string') return tracked;
    const problem = tracked.quality.addRtcp(observed, tracked.call.media);
    this.onReport(tracked, observed.capturedAt);
    return problem;
  }

  /** `callId`: if the capture agent names the call. */
  addStatistics(observed: ObservedStatistics, callId?: string): void {
    this.counts.add(this.placeStatistics(observed, callId));
  }

  private placeStatistics(
    { statistics, packet, capturedAt }: ObservedStatistics,
    callId?: string,
  ): UncountedReport | undefined {
    const tracked = this.findCall(packet, callId);
    if (typeof tracked === 'string') return tracked;
    const problem = tracked.quality.addStatistics(statistics, packet, tracked.call.media);
    this.onReport(tracked, capturedAt);
    return problem;
  }

  /** The body of a message with a voice quality report (RFC 6035). */
  addVoiceReport(body: string): void {
    this.counts.add(this.placeVoiceReport(body));
  }

  private placeVoiceReport(body: string): UncountedReport | undefined {
    const report = readVoiceReport(body);
    if (!report) return 'unreadable';
    const tracked = this.calls.get(report.callId);
    return tracked ? tracked.quality.addVoiceReport(report, tracked.call.media) : 'unknown call';
  }

  /** The call that a packet of media belongs to; `callId`: if the capture agent names one. */
  callIdOf(packet: MediaPacket, callId?: string): string | undefined {
    const tracked = this.findCall(packet, callId);
    return typeof tracked === 'string' ? undefined : tracked.callId;
  }

  private findCall(packet: MediaPacket, callId: string | undefined): TrackedCall | UncountedReport {
    return (callId === undefined ? undefined : this.calls.get(callId)) ?? this.media.findCall(packet);
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
