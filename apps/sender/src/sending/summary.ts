import type { PlayedFindings } from '@ringdown/call-capture';
import type { DeliveryCounts, FeedConnection, TraceOutcome } from '@ringdown/feed-client';
import { counted } from './counted.js';

const SHOWN_FAILURES = 5;

/** The result of sending generated calls. */
export interface FeedSummary extends Partial<PlayedFindings> {
  readonly calls: number;
  readonly frontEnds: number;
  readonly records: number;
  readonly recordsAnswered: number;
  /** All that were not answered with 200; the sum of the three below. */
  readonly recordsFailed: number;
  readonly recordsRefused: number;
  readonly recordsNotTaken: number;
  readonly recordsLost: number;
  /** Of the answered ones; a real collector always sends a `Count`. */
  readonly recordsWithoutCount: number;
  /** Left out on purpose. */
  readonly recordsWithheld?: number;
  /** Messages of calls, by outcome; left out without TRACE=on. */
  readonly messages?: Readonly<Record<TraceOutcome, number>>;
  readonly seconds: number;
  readonly interrupted: boolean;
  /** Why nothing was sent. */
  readonly error?: string;
}

/** The summary of a command that ended before its first record. */
export const NOTHING_SENT = {
  calls: 0,
  frontEnds: 0,
  records: 0,
  recordsAnswered: 0,
  recordsFailed: 0,
  recordsRefused: 0,
  recordsNotTaken: 0,
  recordsLost: 0,
  recordsWithoutCount: 0,
  seconds: 0,
} as const;

export interface Sent {
  readonly connections: ReadonlyMap<string, FeedConnection>;
  readonly calls: number;
  readonly frontEnds: number;
  /** By `performance.now()`. */
  readonly began: number;
  readonly interrupted: boolean;
}

export function feedSummary({ connections, calls, frontEnds, began, interrupted }: Sent): FeedSummary {
  const counts = [...connections.values()].map((connection) => connection.counts);
  const total = (key: keyof DeliveryCounts): number => counts.reduce((sum, each) => sum + each[key], 0);
  return {
    calls,
    frontEnds,
    records: total('sent'),
    recordsAnswered: total('answered'),
    recordsFailed: total('sent') - total('answered'),
    recordsRefused: total('refused'),
    recordsNotTaken: total('failed'),
    recordsLost: total('lost'),
    recordsWithoutCount: total('withoutCount'),
    seconds: Math.round((performance.now() - began) / 100) / 10,
    interrupted,
  };
}

export function formatSummary(summary: FeedSummary): string {
  const { calls, records, recordsAnswered, recordsFailed, frontEnds, seconds } = summary;
  const { recordsRefused, recordsNotTaken, recordsLost } = summary;
  const { recordsWithoutCount, recordsWithheld = 0, messages } = summary;
  const origin = `${counted(calls, 'call')} from ${counted(frontEnds, 'front end')}`;
  const sent = `${counted(records, 'record')} of ${origin} in ${seconds} s`;
  const failed =
    `${recordsAnswered} answered with 200, ${recordsFailed} not ` +
    `(${recordsRefused} refused, ${recordsNotTaken} failed, ${recordsLost} lost)`;
  const parts = [
    ...(records === 0 ? ['nothing was sent'] : [recordsFailed === 0 ? 'all answered' : failed]),
    ...(recordsWithoutCount > 0 ? [`${recordsWithoutCount} without a Count (is this a collector?)`] : []),
    ...(recordsWithheld > 0 ? [`${recordsWithheld} more withheld on purpose`] : []),
    ...(messages ? [messagesText(messages)] : []),
    ...foundBesideCalls(summary),
    ...(summary.interrupted ? ['interrupted'] : []),
  ];
  return `${sent}: ${parts.join(', ')}\n`;
}

function foundBesideCalls(found: Partial<PlayedFindings>): readonly string[] {
  const { unplacedMessages = {}, uncountedReports = {}, uncountedRtp = {}, unreportedCalls = 0 } = found;
  const { failedRequestsTotal = 0, failedRequests = [] } = found;
  const [reports, rtp] = [reasonsText(uncountedReports), reasonsText(uncountedRtp)];
  const sip = reasonsText(unplacedMessages);
  return [
    ...(sip === '' ? [] : [`SIP messages that fit no call: ${sip}`]),
    ...(reports === '' ? [] : [`quality reports that do not count: ${reports}`]),
    ...(rtp === '' ? [] : [`RTP packets that count for no call: ${rtp}`]),
    ...(failedRequestsTotal > 0
      ? [`${counted(failedRequestsTotal, 'request')} outside of calls failed (${mostOf(failedRequests)})`]
      : []),
    ...(unreportedCalls > 0
      ? [`${counted(unreportedCalls, 'call')} not reported (no answer or rejection; needs C or D)`]
      : []),
  ];
}

function reasonsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}

function messagesText({ stored, dropped, refused }: Readonly<Record<TraceOutcome, number>>): string {
  const rest = dropped + refused > 0 ? `, ${dropped} dropped, ${refused} refused` : '';
  return `${counted(stored, 'message')} of calls stored${rest}`;
}

function mostOf(failures: PlayedFindings['failedRequests']): string {
  const shown = failures.slice(0, SHOWN_FAILURES).map(({ method, status, peer, count }) => {
    const what = status === 'none' ? 'without a response' : status;
    return `${count} ${method} ${what}, ${peer}`;
  });
  return [...shown, ...(failures.length > shown.length ? ['…'] : [])].join('; ');
}
