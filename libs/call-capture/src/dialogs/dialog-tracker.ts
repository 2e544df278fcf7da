import { withoutAbsent, type ConnectionInfo, type DiagnosticsRecord, type RecordEvent } from '@ringdown/xml-schemas';
import { keptText } from '../collections/kept.js';
import type { MediaPacket } from '../placement/media-packet.js';
import { CallQuality } from '../quality/call-quality.js';
import type { ObservedReport, ObservedStatistics } from '../quality/observed-report.js';
import { readVoiceReport, VOICE_REPORT_TYPE } from '../quality/read-voice-report.js';
import { CapturedStreams } from '../rtp/captured-streams.js';
import type { CapturedRtp } from '../rtp/rtp-streams.js';
import { bodyPart } from '../sip/body-part.js';
import type { SipMessage } from '../sip/sip-message.js';
import { Call } from './call.js';
import { CapturedMedia, type MeasuredCall } from './captured-media.js';
import { Conversations } from './conversations.js';
import { readDialogReference, type DialogReference } from './dialog-reference.js';
import { DEFAULT_LEG_HEADERS, type LegHeader } from './leg-headers.js';
import { opensCall } from './opens-call.js';
import { timeText } from './time-text.js';
import { DEFAULT_LIMITS, type TrackerLimits } from './tracker-limits.js';
import type { ObservedMessage } from './observed-message.js';
import { qualityContext } from './quality-context.js';
import type { Report } from './report.js';
import { ReportCounts, type UncountedReport } from './report-counts.js';

/** A call without a BYE. It stays open in the feed, because its end is not known. */
export interface ForgottenCall {
  readonly callId: string;
  readonly state: 'inviting' | 'active';
  readonly why: 'nothing followed' | 'too many calls';
}

export interface DialogTrackerOptions {
  readonly frontEnd: string;
  readonly limits?: Partial<TrackerLimits>;
  /** The headers that join the legs of a call. */
  readonly legHeaders?: readonly LegHeader[];
  readonly onForgotten?: (call: ForgottenCall) => void;
}

interface Tracked extends MeasuredCall {
  conversationId: string;
  lastSeenAt: number;
  lastCapturedAt: number;
}

/** Most messages, and most calls when they are checked, make no record. */
const NONE: readonly DiagnosticsRecord[] = [];
/** Copies of the BYE and late reports may still follow for this long (RFC 3261, timer H). */
const LINGER_MS = 32_000;
/**
 * A caller that retries a rejected call does it sooner: with a password that its user must type, or at another address.
 * An INVITE without a final response is over 64 x T1 after its CANCEL (RFC 3261, 9.1).
 */
const HELD_MS: Readonly<Record<NonNullable<Call['awaits']>, number>> = { retry: 60_000, 'final response': 32_000 };

/** All calls of a front end: SIP messages and reports go in, records of version D come out. */
export class DialogTracker {
  readonly reports = new ReportCounts();
  private readonly calls = new Map<string, Tracked>();
  private readonly media = new CapturedMedia((callId) => this.calls.get(callId));
  private readonly limits: TrackerLimits;
  private readonly conversations: Conversations;

  constructor(private readonly options: DialogTrackerOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.conversations = new Conversations(options.legHeaders ?? DEFAULT_LEG_HEADERS, (id) => this.calls.get(id));
  }

  /** Number of calls that are not over. */
  get openCalls(): number {
    return [...this.calls.values()].filter(({ call }) => call.state !== 'over').length;
  }

  onMessage(observed: ObservedMessage): readonly DiagnosticsRecord[] {
    const { message } = observed;
    const report = bodyPart(message, VOICE_REPORT_TYPE);
    if (report !== undefined && !message.response) {
      this.reports.add(this.addVoiceReport(report));
      return [];
    }
    if (message.method === 'REFER' && message.response) this.conversations.onReferResponse(message);
    const known = this.calls.get(message.callId) ?? this.referredCall(message);
    if (known) return this.update(known, observed);
    const tracked = this.track(observed);
    if (!tracked) return [];
    const redirected = this.endRedirected(observed);
    const abandoned = this.evictOldest();
    this.calls.set(tracked.callId, tracked);
    return [...redirected, ...abandoned, ...this.update(tracked, observed)];
  }

  /** A REFER may be sent outside of the dialog (RFC 5589). */
  private referredCall({ method, response, headers }: SipMessage): Tracked | undefined {
    if (method !== 'REFER' || response) return undefined;
    return this.callWith(readDialogReference(headers.first('target-dialog')));
  }

  private callWith(dialog: DialogReference | undefined): Tracked | undefined {
    return dialog && this.conversations.hasDialog(dialog) ? this.calls.get(dialog.callId) : undefined;
  }

  /** A caller that goes on with another Call-ID does not retry the call that was redirected. */
  private endRedirected({ message, arrivedAt }: ObservedMessage): readonly DiagnosticsRecord[] {
    const callId = this.conversations.redirectedCall(message, arrivedAt);
    const tracked = callId === undefined ? undefined : this.calls.get(callId);
    return tracked ? this.recordsOf(tracked.call.continueAs(message), tracked) : [];
  }

  private endHeld(tracked: Tracked): readonly DiagnosticsRecord[] {
    return this.recordsOf(tracked.call.endHeld(), tracked);
  }

  /** `callId`: if the capture agent names the call. Returns undefined if the report counts. */
  addRtcpReport(observed: ObservedReport, callId?: string): UncountedReport | undefined {
    const problem = this.placeReport(observed, callId);
    // Packets of other kinds, such as BYE, may still show who sends them.
    if (observed.report.senders.length + observed.report.blocks.length > 0) this.reports.add(problem);
    return problem;
  }

  private placeReport(observed: ObservedReport, callId?: string): UncountedReport | undefined {
    const tracked = this.findCall(observed.packet, callId);
    if (typeof tracked === 'string') return tracked;
    const { call, quality } = tracked;
    const problem = quality.addRtcp(observed, call.media);
    tracked.lastReportAt = observed.capturedAt;
    this.media.update(tracked);
    return problem;
  }

  /** One RTP packet; `at`: its capture time, milliseconds. Returns false if it is something else. */
  addRtp(packet: CapturedRtp, at: number): boolean {
    return this.media.add(packet, at);
  }

  /** Streams that were forgotten before a call claimed them. */
  get forgottenStreams(): number {
    return this.media.forgottenStreams;
  }

  /** `callId`: if the capture agent names the call. */
  addRtpStatistics(observed: ObservedStatistics, callId?: string): void {
    this.reports.add(this.placeStatistics(observed, callId));
  }

  private placeStatistics(
    { statistics, packet, capturedAt }: ObservedStatistics,
    callId?: string,
  ): UncountedReport | undefined {
    const tracked = this.findCall(packet, callId);
    if (typeof tracked === 'string') return tracked;
    const problem = tracked.quality.addStatistics(statistics, packet, tracked.call.media);
    tracked.lastReportAt = capturedAt;
    this.media.update(tracked);
    return problem;
  }

  /** The call that a packet of media belongs to; `callId`: if the capture agent names one. */
  callIdOf(packet: MediaPacket, callId?: string): string | undefined {
    const tracked = this.findCall(packet, callId);
    return typeof tracked === 'string' ? undefined : tracked.callId;
  }

  private findCall(packet: MediaPacket, callId: string | undefined): Tracked | UncountedReport {
    return (callId === undefined ? undefined : this.calls.get(callId)) ?? this.media.findCall(packet);
  }

  /** Call it about each second: returns quality records that are due, and forgets calls without messages. */
  sweep(now: number): readonly DiagnosticsRecord[] {
    const records: DiagnosticsRecord[] = [];
    for (const [callId, tracked] of this.calls) records.push(...this.sweepCall(callId, tracked, now));
    return records;
  }

  private sweepCall(callId: string, tracked: Tracked, now: number): readonly DiagnosticsRecord[] {
    const { call, quality, lastSeenAt } = tracked;
    const age = now - lastSeenAt;
    if (call.state === 'over') {
      const records = age < this.limits.qualityWaitMs ? NONE : this.lastQuality(callId, tracked);
      if (age >= LINGER_MS) this.forget(callId);
      return records;
    }
    const limit = call.state === 'inviting' ? this.limits.inviteTimeoutMs : this.limits.callTimeoutMs;
    if (age >= limit) return this.abandon(callId, tracked, 'nothing followed');
    if (call.awaits) return age >= HELD_MS[call.awaits] ? this.endHeld(tracked) : NONE;
    if (call.state !== 'active') return NONE;
    this.media.measureDuringCall(tracked, now);
    if (!quality.hasNews) return NONE;
    const events = quality.duringCall(call.parties, now, this.limits.inCallPeriodMs);
    return events.length === 0 ? NONE : this.record(callId, tracked, events, atLastReport(tracked));
  }

  /** Nothing more will follow: the quality of all calls, also of those without an end, and ends that were held back. */
  finish(): readonly DiagnosticsRecord[] {
    return [...this.calls].flatMap(([callId, tracked]) => [
      ...this.endHeld(tracked),
      ...this.lastQuality(callId, tracked),
    ]);
  }

  private lastQuality(callId: string, tracked: Tracked): readonly DiagnosticsRecord[] {
    const { call, quality } = tracked;
    this.media.finish(tracked);
    if (!quality.hasUnreported) return NONE;
    const times = call.state === 'over' ? {} : atLastReport(tracked);
    return this.record(callId, tracked, quality.flush(call.parties), { ...times, ...qualityContext(call, quality) });
  }

  private track({ message, arrivedAt, capturedAt }: ObservedMessage): Tracked | undefined {
    if (!opensCall(message)) return undefined;
    const call = new Call(message, this.options.frontEnd);
    const callId = keptText(message.callId);
    const conversationId = this.conversations.of(message, arrivedAt);
    return {
      callId,
      call,
      quality: new CallQuality(call.evidence),
      streams: new CapturedStreams(call.evidence),
      conversationId: conversationId === callId ? callId : keptText(conversationId),
      lastSeenAt: arrivedAt,
      firstCapturedAt: capturedAt,
      lastCapturedAt: capturedAt,
    };
  }

  private update(tracked: Tracked, observed: ObservedMessage): readonly DiagnosticsRecord[] {
    const { message, arrivedAt, capturedAt, source } = observed;
    tracked.lastSeenAt = arrivedAt;
    tracked.lastCapturedAt = capturedAt;
    const other = this.callWith(this.conversations.observe(message, tracked.conversationId, arrivedAt));
    if (other) other.conversationId = tracked.conversationId;
    const reports = tracked.call.onMessage(message, capturedAt, source);
    this.media.update(tracked);
    return this.recordsOf(reports, tracked, { cseq: message.cseq });
  }

  private recordsOf(
    reports: readonly Report[],
    tracked: Tracked,
    about: Partial<ConnectionInfo> = {},
  ): readonly DiagnosticsRecord[] {
    if (reports.length === 0) return NONE;
    return reports.flatMap(({ events, at = tracked.lastCapturedAt, extensions }) => {
      const connection = withoutAbsent({ ...about, further: extensions });
      return this.record(tracked.callId, { ...tracked, lastCapturedAt: at }, events, connection);
    });
  }

  /** Makes room for a new call. */
  private evictOldest(): readonly DiagnosticsRecord[] {
    const [oldest] = this.calls;
    if (this.calls.size < this.limits.calls || !oldest) return [];
    return this.abandon(...oldest, 'too many calls');
  }

  private abandon(callId: string, tracked: Tracked, why: ForgottenCall['why']): readonly DiagnosticsRecord[] {
    const { state } = tracked.call;
    const quality = this.lastQuality(callId, tracked);
    const reports = tracked.call.abandon();
    this.forget(callId);
    // What was held back is an end, too.
    if (state !== 'over' && reports.length === 0) this.options.onForgotten?.({ callId, state, why });
    return [...this.recordsOf(reports, tracked), ...quality];
  }

  private forget(callId: string): void {
    const tracked = this.calls.get(callId);
    if (tracked) this.media.forget(tracked);
    this.calls.delete(callId);
  }

  private addVoiceReport(body: string): UncountedReport | undefined {
    const report = readVoiceReport(body);
    if (!report) return 'unreadable';
    const tracked = this.calls.get(report.callId);
    return tracked ? tracked.quality.addVoiceReport(report, tracked.call.media) : 'unknown call';
  }

  private record(
    callId: string,
    { conversationId, lastCapturedAt }: Tracked,
    events: readonly RecordEvent[],
    more: Partial<ConnectionInfo> = {},
  ): readonly DiagnosticsRecord[] {
    if (events.length === 0) return [];
    const timeStamp = timeText(lastCapturedAt);
    const connection = { callId, frontEnds: [this.options.frontEnd], timeStamp, conversationId, ...more };
    return [{ version: 'D', connection: withoutAbsent(connection), events }];
  }
}

function atLastReport({ lastReportAt, lastCapturedAt }: Tracked): Pick<ConnectionInfo, 'timeStamp'> {
  return { timeStamp: timeText(lastReportAt ?? lastCapturedAt) };
}
