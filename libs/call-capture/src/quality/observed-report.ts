import type { CapturedPacket } from '@ringdown/capture';
import { knownAddresses, type MediaPacket } from '../placement/media-packet.js';
import type { RtpStatistics } from '../rtp/read-rtp-statistics.js';
import type { Observation } from './round-trips.js';
import type { RtcpReport } from './rtcp-report.js';

/** A report as it was captured. */
export interface ObservedReport extends Observation {
  /** By a monotonic clock, milliseconds. */
  readonly arrivedAt: number;
  readonly report: RtcpReport;
  readonly packet: MediaPacket;
}

/** What a capture agent measured of a stream, as it was captured. */
export interface ObservedStatistics {
  readonly statistics: RtpStatistics;
  /** What identifies the stream. */
  readonly packet: MediaPacket;
  readonly capturedAt: number;
}

/** `now`: the capture time if the agent sends none; `arrivedAt`: by a monotonic clock. */
export function observedReport(
  report: RtcpReport,
  { capturedAt, agent, node, ...addresses }: CapturedPacket,
  { now, arrivedAt }: { readonly now: number; readonly arrivedAt: number },
): ObservedReport {
  const { ssrcs, cnames, blocks } = report;
  const reportedSsrcs = blocks.flatMap(({ ssrc }) => ssrc ?? []);
  const packet = { ...knownAddresses(addresses), ssrcs, cnames, reportedSsrcs };
  return { report, packet, arrivedAt, capturedAt: capturedAt ?? now, observer: `${agent ?? ''} ${node ?? ''}` };
}
