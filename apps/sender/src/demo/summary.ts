import type { DeliveryCounts } from '../delivery/delivery.js';
import type { FeedConnection } from '../delivery/feed-connection.js';

/** What became of made-up calls. */
export interface FeedSummary {
  readonly calls: number;
  readonly frontEnds: number;
  readonly records: number;
  readonly recordsAnswered: number;
  /** All that were not answered with 200; the three below add up to it. */
  readonly recordsFailed: number;
  readonly recordsRefused: number;
  readonly recordsNotTaken: number;
  readonly recordsLost: number;
  readonly seconds: number;
  readonly interrupted: boolean;
}

export interface Sent {
  readonly connections: ReadonlyMap<string, FeedConnection>;
  readonly calls: number;
  readonly frontEnds: number;
  /** By `performance.now()`. */
  readonly began: number;
  readonly interrupted: boolean;
}

export function summaryOf({ connections, calls, frontEnds, began, interrupted }: Sent): FeedSummary {
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
    seconds: Math.round((performance.now() - began) / 100) / 10,
    interrupted,
  };
}

export function inWords(summary: FeedSummary): string {
  const { calls, records, recordsAnswered, recordsFailed, frontEnds, seconds } = summary;
  const { recordsRefused, recordsNotTaken, recordsLost } = summary;
  const sent = `${records} records of ${calls} calls from ${frontEnds} front ends in ${seconds} s`;
  if (records === 0) return `No records were sent${summary.interrupted ? ': it was interrupted' : ''}\n`;
  const fate =
    recordsFailed === 0
      ? 'all answered'
      : `${recordsAnswered} answered, ${recordsFailed} failed ` +
        `(${recordsRefused} refused, ${recordsNotTaken} not taken, ${recordsLost} lost)`;
  return `${sent}: ${fate}${summary.interrupted ? ', interrupted' : ''}\n`;
}
