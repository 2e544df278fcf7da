import type { IdentityHiding } from '@ringdown/identity-hiding';
import { convertRecord, fitRecord, type DiagnosticsRecord, type OutputVersion } from '@ringdown/xml-schemas';
import { DialogTracker, type DialogTrackerOptions } from '../dialogs/dialog-tracker.js';
import type { CapturedPacket } from '../hep/captured-packet.js';
import { readRtcp } from '../quality/read-rtcp.js';
import { readRtcpJson } from '../quality/read-rtcp-json.js';
import { isKeepAlive, readSip } from '../sip/read-sip.js';
import { SipSyntaxError } from '../sip/sip-message.js';
import { ACCEPTABLE } from './acceptable.js';

export interface FrontEndFeedOptions extends DialogTrackerOptions {
  /** What the collector understands. */
  readonly version: OutputVersion;
  readonly hiding?: IdentityHiding;
  readonly onRecord: (record: DiagnosticsRecord) => void;
  /** A captured packet says it is SIP, and is not. */
  readonly onRefused?: (message: string, packet: CapturedPacket) => void;
}

export interface FeedCounts {
  readonly sip: number;
  readonly rtcp: number;
  /** Keep-alives, logs, statistics, reports of streams that are in no call. */
  readonly ignored: number;
  readonly refused: number;
}

/** What one front end makes of captured packets: records in the version and with the names that the collector may see. */
export class FrontEndFeed {
  private readonly tracker: DialogTracker;
  private readonly counted = { sip: 0, rtcp: 0, ignored: 0, refused: 0 };

  constructor(private readonly options: FrontEndFeedOptions) {
    this.tracker = new DialogTracker(options);
  }

  get counts(): FeedCounts {
    return { ...this.counted };
  }

  get openCalls(): number {
    return this.tracker.openCalls;
  }

  /** `arrivedAt`: by a clock that never jumps, milliseconds. `now`: what stands for the time where the agent tells none. */
  take(packet: CapturedPacket, arrivedAt: number, now: number): void {
    if (packet.content === 'sip') this.takeSip(packet, arrivedAt, packet.capturedAt ?? now);
    else if (packet.content === 'rtcp') this.takeRtcp(packet);
    else this.counted.ignored++;
  }

  /** To be called about each second, with the time of `arrivedAt`. */
  sweep(now: number): void {
    this.tell(this.tracker.sweep(now));
  }

  private takeSip(packet: CapturedPacket, arrivedAt: number, capturedAt: number): void {
    if (isKeepAlive(packet.payload)) {
      this.counted.ignored++;
      return;
    }
    try {
      const message = readSip(packet.payload);
      this.counted.sip++;
      this.tell(this.tracker.see({ message, capturedAt, arrivedAt }));
    } catch (error) {
      if (!(error instanceof SipSyntaxError)) throw error;
      this.counted.refused++;
      this.options.onRefused?.(error.message, packet);
    }
  }

  private takeRtcp({ payload, source, correlationId }: CapturedPacket): void {
    const isJson = payload[0] === 0x7b;
    const report = isJson ? readRtcpJson(payload.toString('utf8')) : readRtcp(payload);
    const isOfCall = report !== undefined && this.tracker.measure(report, source, correlationId);
    this.counted[isOfCall ? 'rtcp' : 'ignored']++;
  }

  private tell(records: readonly DiagnosticsRecord[]): void {
    const { version, hiding, onRecord } = this.options;
    for (const record of records) {
      for (const converted of convertRecord(record, version, ACCEPTABLE)) {
        // Tokens may be longer than what they hide.
        onRecord(fitRecord(hiding ? hiding.data(converted) : converted));
      }
    }
  }
}
