import { feedOfSender } from '@ringdown/contracts/feed-of';
import { COLLECTOR_CLOCK, feedClock, feedRecordTime, type FeedRecord, type RecordTime } from '../feed-record.js';

/**
 * The times of the records of one call. A manager of D names every front end that it knows of: when it learns of a second
 * one during a call, its records have another feed from then on, but the same clock, that of their sender.
 */
export function recordTimes(records: readonly FeedRecord[]): (record: FeedRecord) => RecordTime {
  const managers = new Set(records.filter(namesSeveral).map(senderOf));
  managers.delete('');
  if (managers.size === 0) return feedRecordTime;
  return (record) => {
    const time = feedRecordTime(record);
    const sender = senderOf(record);
    if (record.record.version !== 'D' || time.clock === COLLECTOR_CLOCK || !managers.has(sender)) return time;
    return { ...time, clock: feedClock(sender) };
  };
}

function namesSeveral({ record: { version, connection } }: FeedRecord): boolean {
  return version === 'D' && connection.frontEnds.length > 1;
}

function senderOf({ remoteAddress, certificateSubject }: FeedRecord): string {
  return feedOfSender({
    remoteAddress: remoteAddress ?? undefined,
    certificateSubject: certificateSubject ?? undefined,
  });
}
