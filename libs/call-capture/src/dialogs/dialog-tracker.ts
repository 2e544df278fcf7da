import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import { VOICE_REPORT_TYPE } from '../quality/read-voice-report.js';
import type { CapturedRtp } from '../rtp/rtp-streams.js';
import type { UncountedRtp } from '../rtp/uncounted-rtp.js';
import { bodyPart } from '../sip/body-part.js';
import type { SipMessage } from '../sip/sip-message.js';
import { CallRecords, NO_RECORDS } from './call-records.js';
import type { Call } from './call.js';
import { CapturedMedia } from './captured-media.js';
import { Conversations } from './conversations.js';
import { readDialogReference, type DialogReference } from './dialog-reference.js';
import { DEFAULT_LEG_HEADERS, type LegHeader } from './leg-headers.js';
import type { ObservedMessage } from './observed-message.js';
import { opensCall } from './opens-call.js';
import { QualityReports } from './quality-reports.js';
import { trackCall, type TrackedCall } from './tracked-call.js';
import { DEFAULT_LIMITS, type TrackerLimits } from './tracker-limits.js';
import { UnplacedMessages } from './unplaced-messages.js';

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

/** Copies of the BYE and late reports may still follow for this long (RFC 3261, timer H). */
const LINGER_MS = 32_000;
/**
 * A caller that retries a rejected call does it sooner: with a password that its user must type, or at another address.
 * An INVITE without a final response is over 64 x T1 after its CANCEL (RFC 3261, 9.1).
 */
const HELD_MS: Readonly<Record<NonNullable<Call['awaits']>, number>> = { retry: 60_000, 'final response': 32_000 };

/** All calls of a front end: SIP messages and reports go in, records of version D come out. */
export class DialogTracker {
  readonly reports: QualityReports;
  readonly unplaced = new UnplacedMessages();
  private readonly calls = new Map<string, TrackedCall>();
  private readonly media = new CapturedMedia((callId) => this.calls.get(callId));
  private readonly records: CallRecords;
  private readonly limits: TrackerLimits;
  private readonly conversations: Conversations;

  constructor(private readonly options: DialogTrackerOptions) {
    this.reports = new QualityReports(this.calls, this.media);
    this.records = new CallRecords(options.frontEnd);
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
      this.reports.addVoiceReport(report);
      return [];
    }
    if (message.method === 'REFER' && message.response) this.conversations.onReferResponse(message);
    const known = this.calls.get(message.callId) ?? this.referredCall(message);
    if (known) return this.update(known, observed);
    if (!opensCall(message)) return NO_RECORDS;
    const { conversationId, redirected } = this.conversations.of(message, observed.arrivedAt);
    const tracked = trackCall(observed, conversationId, this.options.frontEnd);
    const ended = this.endRedirected(redirected, message);
    const abandoned = this.evictOldest();
    this.calls.set(tracked.callId, tracked);
    return [...ended, ...abandoned, ...this.update(tracked, observed)];
  }

  /** A REFER may be sent outside of the dialog (RFC 5589). */
  private referredCall({ method, response, headers }: SipMessage): TrackedCall | undefined {
    if (method !== 'REFER' || response) return undefined;
    return this.callWith(readDialogReference(headers.first('target-dialog')));
  }

  private callWith(dialog: DialogReference | undefined): TrackedCall | undefined {
    if (!dialog) return undefined;
    const tracked = this.calls.get(dialog.callId);
    return tracked?.call.hasDialog(dialog.tags) ? tracked : undefined;
  }

  /** A caller that goes on with another Call-ID does not retry the call that was redirected. */
  private endRedirected(callId: string | undefined, next: SipMessage): readonly DiagnosticsRecord[] {
    const tracked = callId === undefined ? undefined : this.calls.get(callId);
    return tracked ? this.records.ofReports(tracked.call.continueAs(next), tracked) : NO_RECORDS;
  }

  private endHeld(tracked: TrackedCall): readonly DiagnosticsRecord[] {
    return this.records.ofReports(tracked.call.endHeld(), tracked);
  }

  /** One RTP packet; `at`: its capture time, milliseconds. Returns false if it is something else. */
  addRtp(packet: CapturedRtp, at: number): boolean {
    return this.media.add(packet, at);
  }

  /** RTP packets that count for no call so far, by reason. */
  get uncountedRtp(): Readonly<Record<UncountedRtp, number>> {
    return this.media.uncountedRtp;
  }

  /** Streams that were forgotten before a call claimed them. */
  get forgottenStreams(): number {
    return this.media.forgottenStreams;
  }

  /** Call it about each second: returns quality records that are due, and forgets calls without messages. */
  sweep(now: number): readonly DiagnosticsRecord[] {
    const records: DiagnosticsRecord[] = [];
    for (const [callId, tracked] of this.calls) records.push(...this.sweepCall(callId, tracked, now));
    return records;
  }

  private sweepCall(callId: string, tracked: TrackedCall, now: number): readonly DiagnosticsRecord[] {
    const { call, lastSeenAt } = tracked;
    const age = now - lastSeenAt;
    if (call.state === 'over') {
      const records = age < this.limits.qualityWaitMs ? NO_RECORDS : this.lastQuality(tracked);
      if (age >= LINGER_MS) this.forget(callId);
      return records;
    }
    const limit = call.state === 'inviting' ? this.limits.inviteTimeoutMs : this.limits.callTimeoutMs;
    if (age >= limit) return this.abandon(callId, tracked, 'nothing followed');
    if (call.awaits) return age >= HELD_MS[call.awaits] ? this.endHeld(tracked) : NO_RECORDS;
    if (call.state !== 'active') return NO_RECORDS;
    this.media.measureDuringCall(tracked, now);
    return [...this.resumeFlowing(tracked), ...this.records.duringCall(tracked, now, this.limits.inCallPeriodMs)];
  }

  private resumeFlowing(tracked: TrackedCall): readonly DiagnosticsRecord[] {
    const { call, streams } = tracked;
    const reports = call.resume(streams.flowingOnHold(), streams.lastAt);
    if (reports.length > 0) this.media.update(tracked);
    return this.records.ofReports(reports, tracked);
  }

  /** Nothing more will follow: the quality of all calls, also of those without an end, and ends that were held back. */
  finish(): readonly DiagnosticsRecord[] {
    return [...this.calls.values()].flatMap((tracked) => [...this.endHeld(tracked), ...this.lastQuality(tracked)]);
  }

  private lastQuality(tracked: TrackedCall): readonly DiagnosticsRecord[] {
    this.media.finish(tracked);
    return this.records.lastQuality(tracked);
  }

  private update(tracked: TrackedCall, observed: ObservedMessage): readonly DiagnosticsRecord[] {
    const { message, arrivedAt, capturedAt, source } = observed;
    tracked.lastSeenAt = arrivedAt;
    tracked.lastCapturedAt = capturedAt;
    const other = this.callWith(this.conversations.observe(message, tracked.conversationId, arrivedAt));
    if (other) other.conversationId = tracked.conversationId;
    const reports = tracked.call.onMessage(message, capturedAt, source);
    this.media.update(tracked);
    return this.records.ofReports(reports, tracked, { cseq: message.cseq });
  }

  /** Makes room for a new call. */
  private evictOldest(): readonly DiagnosticsRecord[] {
    const [oldest] = this.calls;
    if (this.calls.size < this.limits.calls || !oldest) return [];
    return this.abandon(...oldest, 'too many calls');
  }

  private abandon(callId: string, tracked: TrackedCall, why: ForgottenCall['why']): readonly DiagnosticsRecord[] {
    const { state } = tracked.call;
    const quality = this.lastQuality(tracked);
    const reports = tracked.call.abandon();
    this.forget(callId);
    // What was held back is an end, too.
    if (state !== 'over' && reports.length === 0) this.options.onForgotten?.({ callId, state, why });
    return [...this.records.ofReports(reports, tracked), ...quality];
  }

  private forget(callId: string): void {
    const tracked = this.calls.get(callId);
    if (tracked) this.media.forget(tracked);
    this.calls.delete(callId);
  }
}
