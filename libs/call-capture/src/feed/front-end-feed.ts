import { isKnownIp, type CapturedPacket } from '@ringdown/capture';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { convertRecord, fitRecord, type OutputVersion } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { DialogTracker, type DialogTrackerOptions } from '../dialogs/dialog-tracker.js';
import type { PacketHosts } from '../dialogs/messages/message-hop.js';
import type { UncountedReport } from '../dialogs/reports/report-counts.js';
import type { UnplacedMessage } from '../dialogs/messages/unplaced-messages.js';
import { RequestFailures, type RequestFailure } from '../failures/request-failures.js';
import { observedReport } from '../quality/observed-report.js';
import { readRtcp } from '../quality/read-rtcp.js';
import { readRtcpJson } from '../quality/read-rtcp-json.js';
import { hasReports } from '../quality/rtcp-report.js';
import { knownAddresses } from '../placement/media-packet.js';
import type { UncountedRtp } from '../rtp/uncounted-rtp.js';
import { readRtpStatistics } from '../rtp/read-rtp-statistics.js';
import { isKeepAlive } from '../sip/message-length.js';
import { MessageParts, type WholePacket } from '../sip/message-parts.js';
import { readSip } from '../sip/read-sip.js';
import { SipSyntaxError } from '../sip/sip-syntax-error.js';
import { callIdIn, type CallIdForm } from './call-id-form.js';
import { CallMessages, type CallMessagesOptions } from './call-messages.js';
import { METRIC_LIMITS } from './metric-limits.js';
import { UnreportedCalls } from './unreported-calls.js';

export interface FrontEndFeedOptions extends DialogTrackerOptions {
  /** The version that the collector understands; of a running feed it may change. */
  readonly version: OutputVersion | { readonly current: OutputVersion };
  /** Default: `sip`. */
  readonly callIdForm?: CallIdForm | undefined;
  readonly hiding?: IdentityHiding;
  readonly onRecord: (record: DiagnosticsRecord) => void;
  /** Receives the messages of calls; left out: they are not passed on. */
  readonly messages?: Pick<CallMessagesOptions, 'rtcp' | 'onMessage' | 'onTooLarge'> | undefined;
  /** A registration, a ping, a message or a subscription failed. */
  readonly onRequestFailure?: ((failure: RequestFailure) => void) | undefined;
  /** A captured packet is marked as SIP but cannot be read. */
  readonly onRejected?: (message: string, packet: CapturedPacket) => void;
}

export interface FeedCounts {
  readonly sip: number;
  /** Packets that were further parts of a SIP message. */
  readonly parts: number;
  /** Quality reports of known streams: RTCP, RFC 6035, statistics of capture agents. */
  readonly reports: number;
  /** RTP packets. */
  readonly rtp: number;
  /** Keep-alives, logs, RTCP without reports. */
  readonly ignored: number;
  /** Quality reports that do not count, by reason. */
  readonly uncounted: Readonly<Record<UncountedReport, number>>;
  /** SIP messages that fit no call, by reason. */
  readonly unplaced: Readonly<Record<UnplacedMessage, number>>;
  readonly rejected: number;
}

/** Makes the records of one front end from captured packets, in the collector's version, users hidden if configured. */
export class FrontEndFeed {
  private readonly tracker: DialogTracker;
  private readonly counted = { sip: 0, rtp: 0, ignored: 0, rejected: 0 };

  private readonly unreported = new UnreportedCalls();
  private readonly requestFailures: RequestFailures;
  private readonly messages: CallMessages | undefined;
  private readonly parts = new MessageParts();
  /** Of the last packet. */
  private lastArrivedAt = 0;
  private lastAt = 0;

  constructor(private readonly options: FrontEndFeedOptions) {
    const { messages, hiding, callIdForm } = options;
    this.messages = messages && new CallMessages({ ...messages, hiding, callIdForm });
    this.requestFailures = new RequestFailures((failure) => options.onRequestFailure?.(failure));
    this.tracker = new DialogTracker({
      ...options,
      onForgotten: (call) => {
        this.unreported.onForgotten(call.callId);
        options.onForgotten?.(call);
      },
    });
  }

  /** How many calls the version of the records cannot express: they ring, or their end was not seen. */
  get unreportedCalls(): number {
    return this.unreported.count;
  }

  /** Registrations that were accepted; each hop counts. */
  get succeededRegistrations(): number {
    return this.requestFailures.succeededRegistrations;
  }

  get counts(): FeedCounts {
    const { counted, uncounted } = this.tracker.reports.counts;
    return {
      ...this.counted,
      parts: this.parts.joined,
      reports: counted,
      uncounted,
      unplaced: this.tracker.unplaced.counts,
    };
  }

  /** RTP packets that count for no call so far, by reason: streams that have begun before their call may count later. */
  get uncountedRtp(): Readonly<Record<UncountedRtp, number>> {
    return this.tracker.uncountedRtp;
  }

  /** Streams of RTP that were forgotten because too many belong to no known call. */
  get forgottenStreams(): number {
    return this.tracker.forgottenStreams;
  }

  get openCalls(): number {
    return this.tracker.openCalls;
  }

  /** `arrivedAt`: by a monotonic clock, milliseconds. `now`: the capture time if the agent sends none. */
  process(packet: CapturedPacket, arrivedAt: number, now: number): void {
    this.lastArrivedAt = arrivedAt;
    this.lastAt = now;
    if (packet.content === 'sip') this.processParts(this.parts.add(packet, arrivedAt), arrivedAt, now);
    else if (packet.content === 'rtp') this.processRtp(packet, packet.capturedAt ?? now);
    else if (packet.content === 'rtcp') this.processRtcp(packet, now);
    else if (packet.content === 'rtp-statistics') this.processStatistics(packet, packet.capturedAt ?? now);
    else this.counted.ignored++;
  }

  /** Call it about each second, with the clock of `arrivedAt`. */
  sweep(now: number): void {
    this.processParts(this.parts.sweep(now), now, this.lastAt);
    this.emit(this.tracker.sweep(now));
    this.requestFailures.sweep(now);
  }

  /** No more packets will follow: reports the quality that waits for the end of its call. */
  finish(): void {
    this.processParts(this.parts.end(), this.lastArrivedAt, this.lastAt);
    this.emit(this.tracker.finish());
  }

  /** `now`: the capture time if the agent sends none. */
  private processParts(parts: readonly WholePacket[], arrivedAt: number, now: number): void {
    for (const { packet, isCut } of parts) {
      if (isCut) this.tracker.unplaced.add('cut');
      this.processSip(packet, arrivedAt, packet.capturedAt ?? now);
    }
  }

  private processSip(packet: CapturedPacket, arrivedAt: number, capturedAt: number): void {
    if (isKeepAlive(packet.payload)) {
      this.counted.ignored++;
      return;
    }
    try {
      const message = readSip(packet.payload);
      this.counted.sip++;
      this.requestFailures.onMessage(message, packet, arrivedAt);
      this.emit(this.tracker.onMessage({ message, capturedAt, arrivedAt, ...knownHosts(packet) }));
      this.messages?.onSip(message, this.tracker.callIdOf(message), packet, capturedAt);
    } catch (error) {
      if (!(error instanceof SipSyntaxError)) throw error;
      this.counted.rejected++;
      this.options.onRejected?.(error.message, packet);
    }
  }

  private processRtcp(packet: CapturedPacket, now: number): void {
    const { payload, correlationId } = packet;
    const isJson = payload[0] === 0x7b;
    const report = isJson ? readRtcpJson(payload.toString('utf8')) : readRtcp(payload);
    const observed = report && observedReport(report, packet, { now, arrivedAt: this.lastArrivedAt });
    if (observed) this.tracker.reports.addRtcp(observed, correlationId);
    else this.tracker.reports.counts.add('unreadable');
    if (report && !hasReports(report)) this.counted.ignored++;
    if (isJson || !this.messages?.takesRtcp) return;
    const found = observed ? this.tracker.reports.callIdsOf(observed.packet, correlationId) : [];
    const callIds = found.length > 0 || correlationId === undefined ? found : [correlationId];
    for (const callId of callIds) this.messages.onRtcp(packet, callId, packet.capturedAt ?? now);
  }

  private processRtp(packet: CapturedPacket, capturedAt: number): void {
    if (this.tracker.addRtp(packet, capturedAt)) this.counted.rtp++;
    else this.counted.ignored++;
  }

  private processStatistics({ payload, correlationId, ...addresses }: CapturedPacket, capturedAt: number): void {
    const statistics = readRtpStatistics(payload.toString('utf8'));
    if (statistics === undefined) {
      this.counted.ignored++;
      return;
    }
    const { ssrc, callId = correlationId, source = addresses.source, destination = addresses.destination } = statistics;
    const ssrcs = ssrc === undefined ? [] : [ssrc];
    const packet = { ...knownAddresses({ source, destination }), ssrcs, reportedSsrcs: [], cnames: [] };
    this.tracker.reports.addStatistics({ statistics, packet, capturedAt }, callId);
  }

  private emit(records: readonly DiagnosticsRecord[]): void {
    const { version: chosen, callIdForm = 'sip', hiding, onRecord } = this.options;
    const version = typeof chosen === 'string' ? chosen : chosen.current;
    for (const record of records) {
      const { connection } = record;
      const named = { ...record, connection: { ...connection, callId: callIdIn(callIdForm, connection.callId) } };
      const written = convertRecord(named, version, METRIC_LIMITS);
      this.unreported.onRecord(record, written.length);
      // Tokens may be longer than what they hide.
      for (const converted of written) onRecord(fitRecord(hiding ? hiding.data(converted) : converted));
    }
  }
}

function knownHosts({ source, destination }: CapturedPacket): PacketHosts {
  return {
    ...(isKnownIp(source.ip) ? { source: source.ip } : {}),
    ...(isKnownIp(destination.ip) ? { destination: destination.ip } : {}),
  };
}
