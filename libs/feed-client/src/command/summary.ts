import type { DeliveryCounts } from '../delivery.js';
import type { TraceOutcome } from '../trace-sender.js';
import { counted } from './counted.js';

/** The result of sending calls. */
export interface FeedSummary {
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
  readonly feeds: Iterable<{ readonly counts: DeliveryCounts }>;
  readonly calls: number;
  readonly frontEnds: number;
  /** By `performance.now()`. */
  readonly began: number;
  readonly interrupted: boolean;
}

export function feedSummary({ feeds, calls, frontEnds, began, interrupted }: Sent): FeedSummary {
  const counts = [...feeds].map((feed) => feed.counts);
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

/** `found`: what is said beside the records. */
export function formatSummary(summary: FeedSummary, found: readonly string[] = []): string {
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
    ...found,
    ...(summary.interrupted ? ['interrupted'] : []),
  ];
  return `${sent}: ${parts.join(', ')}\n`;
}

function messagesText({ stored, dropped, refused }: Readonly<Record<TraceOutcome, number>>): string {
  const rest = dropped + refused > 0 ? `, ${dropped} dropped, ${refused} refused` : '';
  return `${counted(stored, 'message')} of calls stored${rest}`;
}
