import type { TransportAddress } from '@ringdown/capture';
import type { DiagnosticsRecord, RecordEvent } from '@ringdown/xml-schemas/record';
import { DialogTracker, type DialogTrackerOptions } from '../src/dialogs/dialog-tracker.js';
import { EARLY_WAIT_MS } from '../src/dialogs/messages/early-messages.js';
import type { UncountedReport } from '../src/dialogs/reports/report-counts.js';
import { observedReport } from '../src/quality/observed-report.js';
import { readRtcpJson } from '../src/quality/read-rtcp-json.js';
import { readSip } from '../src/sip/read-sip.js';
import { request, response, sdp, type MessageParts } from './sip-messages.js';

export const CALLER_SDP = sdp('192.0.2.10', 4_000);
export const CALLEE_SDP = sdp('192.0.2.20', 5_000);
/** From and To of requests that the callee sends. */
export const BY_BOB = { from: '<sip:bob@example.test>;tag=b1', to: '<sip:alice@example.test>;tag=a1' };

/** A destination that no session description names. */
const ANYWHERE = { ip: '192.0.2.250', port: 9 };

/** Plays messages to a tracker and keeps its records; each message is one second after the previous one. */
export class PlayedCall {
  readonly forgotten: string[] = [];
  readonly records: DiagnosticsRecord[] = [];
  readonly tracker: DialogTracker;
  /** Monotonic time, milliseconds. */
  now = 0;
  /** Time at the beginning by the clock of the capture agent. */
  clock = 1_760_000_000_000;

  constructor(options: Partial<DialogTrackerOptions> = {}) {
    this.tracker = new DialogTracker({
      frontEnd: 'fe1',
      onForgotten: ({ callId, state, why }) => this.forgotten.push(`${callId} ${state}: ${why}`),
      ...options,
    });
  }

  /** `source`: IP address of its packet. */
  receive(bytes: Buffer, source?: string): readonly RecordEvent[] {
    const events = this.receiveAtOnce(bytes, source);
    return [...events, ...this.keep(this.tracker.releaseEarly(this.now + EARLY_WAIT_MS))];
  }

  /** The same, but with the messages that it follows perhaps still to come. */
  receiveAtOnce(bytes: Buffer, source?: string): readonly RecordEvent[] {
    this.now += 1_000;
    const capturedAt = this.clock + this.now;
    return this.keep(
      this.tracker.onMessage({
        message: readSip(bytes),
        capturedAt,
        arrivedAt: this.now,
        ...(source === undefined ? {} : { source }),
      }),
    );
  }

  invite(parts: MessageParts = {}, source?: string): readonly RecordEvent[] {
    return this.receive(
      request('INVITE', { headers: ['Contact: <sip:alice@192.0.2.10>'], body: CALLER_SDP, ...parts }),
      source,
    );
  }

  answer(parts: MessageParts = {}, source?: string): readonly RecordEvent[] {
    return this.receive(
      response('200 OK', 'INVITE', { headers: ['Contact: <sip:bob@192.0.2.20>'], body: CALLEE_SDP, ...parts }),
      source,
    );
  }

  bye(parts: MessageParts = {}): readonly RecordEvent[] {
    return this.receive(request('BYE', { cseq: 9, to: BY_BOB.from, ...parts }));
  }

  /** RTCP as JSON, from the media address of one side. */
  rtcp(ip: string, port: number, report: object, callId?: string): boolean {
    return this.report({ ip, port }, ANYWHERE, report, callId) === undefined;
  }

  /** Returns why the report does not count. */
  report(
    source: TransportAddress,
    destination: TransportAddress,
    report: object,
    callId?: string,
  ): UncountedReport | undefined {
    const payload = Buffer.from(JSON.stringify(report));
    const read = readRtcpJson(payload.toString());
    if (!read) return 'unreadable';
    const packet = { source, destination, content: 'rtcp' as const, payload };
    const observed = observedReport(read, packet, { now: this.clock + this.now, arrivedAt: this.now });
    return this.tracker.reports.addRtcp(observed, callId);
  }

  pass(ms: number): readonly RecordEvent[] {
    this.now += ms;
    return this.keep(this.tracker.sweep(this.now));
  }

  private keep(records: readonly DiagnosticsRecord[]): readonly RecordEvent[] {
    this.records.push(...records);
    return records.flatMap(({ events }) => events);
  }
}
