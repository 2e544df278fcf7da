import type { FeedRecord } from '../feed-record.js';
import type { CallTimeouts } from './timeouts.js';

export interface Settlement {
  /** Milliseconds of our clock. */
  readonly settlesAt: number;
  /** Records that arrived after that. */
  readonly lateRecords: number;
}

/**
 * When a finished call is complete: once no quality report is expected any more. The first report may arrive within
 * `ended`, the other party's within `qoe` after it; whatever arrives later amends the call (diagnostics-feed.md, 3.7
 * and 4.4).
 */
export function settlementOf(records: readonly FeedRecord[], overAt: number, timeouts: CallTimeouts): Settlement {
  const reports = records.filter(({ record }) => record.events.some(({ kind }) => kind === 'qualityUpdate'));
  const first = Math.min(...reports.map(({ receivedAt }) => receivedAt));
  const inTime = first <= overAt + timeouts.ended;
  const settlesAt = inTime ? Math.max(first, overAt) + timeouts.qoe : overAt + timeouts.ended;
  return { settlesAt, lateRecords: records.filter(({ receivedAt }) => receivedAt > settlesAt).length };
}
