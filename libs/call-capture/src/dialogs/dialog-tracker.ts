import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { VOICE_REPORT_TYPE } from '../quality/read-voice-report.js';
import type { CapturedRtp } from '../rtp/rtp-streams.js';
import type { UncountedRtp } from '../rtp/uncounted-rtp.js';
import { bodyPart } from '../sip/body-part.js';
import type { SipMessage } from '../sip/sip-message.js';
import { CallRecords, NO_RECORDS } from './reports/call-records.js';
import type { Call } from './call.js';
import { CapturedMedia } from './media/captured-media.js';
import { missingMedia } from './media/missing-media.js';
import { Conversations } from './conversations.js';
import { EarlyMessages } from './messages/early-messages.js';
import { readDialogReference, type DialogReference } from './dialog-reference.js';
import { DEFAULT_LEG_HEADERS, type LegHeader } from './leg-headers.js';
import { messageHop } from './messages/message-hop.js';
import type { ObservedMessage } from './messages/observed-message.js';
import { isInvitation, opensCall } from './opens-call.js';
import { QualityReports } from './reports/quality-reports.js';
import type { Report } from './reports/report.js';
import { trackCall, type TrackedCall } from './tracked-call.js';
import { TrackedCalls } from './tracked-calls.js';
import { DEFAULT_LIMITS, type TrackerLimits } from './tracker-limits.js';
import { UnplacedMessages } from './messages/unplaced-messages.js';

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

/** Values of the extension (docs/records.md, "Extensions of our sender"). */
const NO_MEDIA = { both: '1', caller: 'Caller', callee: 'Callee' } as const;

/** Methods that only calls use, and whose messages follow each other in an order that is known. */
const OF_CALLS: ReadonlySet<string> = new Set(['INVITE', 'ACK', 'BYE', 'CANCEL', 'PRACK', 'UPDATE']);

/** All calls of a front end: SIP messages and reports go in, records of version D come out. */
export class DialogTracker {
  readonly reports: QualityReports;
  readonly unplaced = new UnplacedMessages();
  private readonly calls = new TrackedCalls();
  private readonly early = new EarlyMessages();
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
    const released = this.releaseEarly(observed.arrivedAt);
    if (this.isEarly(observed) && this.early.add(observed)) return released;
    const records = this.place(observed);
    const following = this.releaseFollowing(message.callId);
    return released.length + following.length === 0 ? records : [...released, ...records, ...following];
  }

  /** The CallId of the records of a message. */
  callIdOf(message: SipMessage): string {
    return this.calls.find(message)?.callId ?? message.callId;
  }

  /** Call it with the time of a message that is to be processed after all that waited too long for others. */
  releaseEarly(now: number): readonly DiagnosticsRecord[] {
    const due = this.early.takeDue(now);
    if (due.length === 0) return NO_RECORDS;
    return due.flatMap((each) => [...this.place(each), ...this.releaseFollowing(each.message.callId)]);
  }

  /** What waited for a message that was just processed. */
  private releaseFollowing(callId: string): readonly DiagnosticsRecord[] {
    const isReady = (observed: ObservedMessage): boolean => !this.isEarly(observed);
    const records: DiagnosticsRecord[] = [];
    for (let next = this.early.take(callId, isReady); next; next = this.early.take(callId, isReady)) {
      records.push(...this.place(next));
    }
    return records.length === 0 ? NO_RECORDS : records;
  }

  private isEarly(observed: ObservedMessage): boolean {
    const { message, capturedAt } = observed;
    const { method, response } = message;
    if (!OF_CALLS.has(method)) return false;
    const known = this.calls.find(message);
    if (known) return known.call.isEarly(message, messageHop(message, capturedAt, observed));
    return response ? method !== 'CANCEL' : method !== 'INVITE';
  }

  /** The call of a message, or a new one. */
  private place(observed: ObservedMessage): readonly DiagnosticsRecord[] {
    const { message } = observed;
    if (message.method === 'REFER' && message.response) this.conversations.onReferResponse(message);
    const known = this.calls.find(message) ?? this.referredCall(message);
    if (known && !(isInvitation(message) && known.call.isOtherCall(message, observed.capturedAt)))
      return this.update(known, observed);
    const callId = opensCall(message) ? this.calls.idFor(message) : 'none';
    if (callId === undefined) this.unplaced.add('Call-ID used again');
    else if (callId !== 'none') return this.open(callId, observed);
    else if (OF_CALLS.has(message.method) && !(message.method === 'CANCEL' && message.response)) {
      this.unplaced.add('unknown call');
    }
    return NO_RECORDS;
  }

  private open(callId: string, observed: ObservedMessage): readonly DiagnosticsRecord[] {
    const { message } = observed;
    const { conversationId, redirected } = this.conversations.of(message, observed.arrivedAt);
    const tracked = trackCall(observed, callId, conversationId, this.options.frontEnd);
    const ended = this.endRedirected(redirected, message);
    const abandoned = this.evictOldest();
    this.calls.add(tracked, message.callId);
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
    const records = [...this.releaseEarly(now)];
    for (const tracked of this.calls.values()) records.push(...this.sweepCall(tracked, now));
    return records;
  }

  private sweepCall(tracked: TrackedCall, now: number): readonly DiagnosticsRecord[] {
    const { call, lastSeenAt } = tracked;
    const age = now - lastSeenAt;
    if (call.state === 'over') {
      const records = age < this.limits.qualityWaitMs ? NO_RECORDS : this.lastQuality(tracked);
      if (age >= LINGER_MS) this.forget(tracked);
      return records;
    }
    const limit = call.state === 'inviting' ? this.limits.inviteTimeoutMs : this.limits.callTimeoutMs;
    if (age >= limit) return this.abandon(tracked, 'nothing followed');
    if (call.awaits) return age >= HELD_MS[call.awaits] ? this.endHeld(tracked) : NO_RECORDS;
    if (call.state !== 'active') return NO_RECORDS;
    this.media.measureDuringCall(tracked, now);
    return [...this.resumeFlowing(tracked), ...this.records.duringCall(tracked, now, this.limits.inCallPeriodMs)];
  }

  private resumeFlowing(tracked: TrackedCall): readonly DiagnosticsRecord[] {
    const { call, streams } = tracked;
    const reports = call.resume(streams.flowingOnHold(), streams.lastAt);
    tracked.holds.update(call.media, streams.lastAt);
    if (reports.length > 0) this.media.update(tracked);
    return this.records.ofReports(reports, tracked);
  }

  /** Nothing more will follow: the quality of all calls, also of those without an end, and ends that were held back. */
  finish(): readonly DiagnosticsRecord[] {
    const early = this.releaseEarly(Number.POSITIVE_INFINITY);
    const calls = [...this.calls.values()];
    return [...early, ...calls.flatMap((tracked) => [...this.endHeld(tracked), ...this.lastQuality(tracked)])];
  }

  private lastQuality(tracked: TrackedCall): readonly DiagnosticsRecord[] {
    this.media.finish(tracked);
    return this.records.lastQuality(tracked);
  }

  private update(tracked: TrackedCall, observed: ObservedMessage): readonly DiagnosticsRecord[] {
    const { message, arrivedAt, capturedAt } = observed;
    tracked.lastSeenAt = arrivedAt;
    tracked.lastCapturedAt = capturedAt;
    const other = this.callWith(this.conversations.observe(message, tracked.conversationId, arrivedAt));
    if (other) other.conversationId = tracked.conversationId;
    const reports = tracked.call.onMessage(message, capturedAt, observed);
    tracked.holds.update(tracked.call.media, capturedAt);
    if (tracked.call.times.answeredAt !== undefined) tracked.answeredSeenAt ??= arrivedAt;
    if (tracked.call.problem) this.unplaced.add(tracked.call.problem);
    this.media.update(tracked);
    return this.records.ofReports(this.withMissingMedia(reports, tracked), tracked, { cseq: message.cseq });
  }

  /** Says with its end whose media the call lacked. */
  private withMissingMedia(reports: readonly Report[], tracked: TrackedCall): readonly Report[] {
    if (!reports.some(isEndOfCall) || this.media.hasUnclaimed(tracked)) return reports;
    const missing = missingMedia(tracked, this.media.networks);
    if (missing === undefined) return reports;
    const extension = { NoMedia: NO_MEDIA[missing] };
    return reports.map((report) =>
      isEndOfCall(report) ? { ...report, extensions: { ...report.extensions, ...extension } } : report,
    );
  }

  /** Makes room for a new call. */
  private evictOldest(): readonly DiagnosticsRecord[] {
    const [oldest] = this.calls.size < this.limits.calls ? [] : this.calls.values();
    return oldest ? this.abandon(oldest, 'too many calls') : NO_RECORDS;
  }

  private abandon(tracked: TrackedCall, why: ForgottenCall['why']): readonly DiagnosticsRecord[] {
    const { callId, call } = tracked;
    const { state } = call;
    const quality = this.lastQuality(tracked);
    const reports = tracked.call.abandon();
    this.forget(tracked);
    // What was held back is an end, too.
    if (state !== 'over' && reports.length === 0) this.options.onForgotten?.({ callId, state, why });
    return [...this.records.ofReports(reports, tracked), ...quality];
  }

  private forget(tracked: TrackedCall): void {
    this.media.forget(tracked);
    this.calls.delete(tracked);
  }
}

function isEndOfCall({ events }: Report): boolean {
  return events.some(({ kind }) => kind === 'bye');
}
